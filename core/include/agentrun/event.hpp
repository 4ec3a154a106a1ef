#pragma once
// The event model: what a run tells the world. docs/events.md explains each field; schema 1.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agentrun/network_policy.hpp"
#include "agentrun/usage.hpp"

namespace agentrun {

inline constexpr int event_schema = 1;

/// The run's process exists.
struct StartEvent {
  std::string runtime;
  std::string sandbox;  ///< the backend's kind, "none" without one
  NetworkMode network_mode = NetworkMode::none;
  std::vector<std::string> network_allow;
  bool network_enforced = false;
  std::vector<std::string> deny_read;
  std::optional<std::string> model;
  std::string cwd;
  std::vector<std::string> argv;  ///< the whole command without the prompt's text
  std::vector<std::string> env;   ///< names only
};

struct PromptEvent {
  std::string text;
};

/// A tool call ended. `denied`: refused by the runtime's own permission system, not by the sandbox.
struct ToolEvent {
  std::string id;
  std::optional<std::string> parent;
  std::string name;
  std::string summary;
  bool denied = false;
};

struct TextEvent {
  std::optional<std::string> parent;
  std::string text;
};

struct UsageEvent {
  std::optional<std::string> parent;
  std::optional<std::string> model;
  TokenCounts tokens;
};

struct SubagentStartEvent {
  std::string id;
  std::optional<std::string> parent;
  std::uint64_t number = 0;  ///< from 1
  std::string kind;
  std::optional<std::string> model;
  std::string description;
};

struct SubagentEndEvent {
  std::string id;
  bool failed = false;
  std::chrono::milliseconds duration{};
  UsageTotals usage;
};

struct NoteEvent {
  std::string text;
};

/// First time that a (host, port, allowed) triple goes through the proxy. `reason` only when refused.
struct NetworkEvent {
  std::string host;
  std::uint16_t port = 0;
  bool allowed = false;
  std::optional<DenyReason> reason;
};

enum class RunStatus { finished, failed, rejected, timeout, limit, interrupted };

[[nodiscard]] std::string_view to_string(RunStatus status) noexcept;

struct EndEvent {
  RunStatus status = RunStatus::finished;
  std::optional<int> exit_code;  ///< the runtime's; absent when not started or killed by a signal
  std::string detail;
  std::chrono::milliseconds duration{};
  UsageTotals usage;
  std::optional<std::string> result;
  std::optional<std::string> session;
};

using EventBody = std::variant<StartEvent, PromptEvent, ToolEvent, TextEvent, UsageEvent, SubagentStartEvent,
                               SubagentEndEvent, NoteEvent, NetworkEvent, EndEvent>;

struct Event {
  std::chrono::system_clock::time_point time;
  EventBody body;
};

/// The name in the `type` field.
[[nodiscard]] std::string_view event_type(const EventBody& body) noexcept;

/// RFC 3339 in UTC with milliseconds: "2026-01-31T08:30:00.125Z".
void append_time(std::string& out, std::chrono::system_clock::time_point time);

/// One JSON object without the newline, fields in the documented order.
void append_json(std::string& out, const Event& event);

}  // namespace agentrun
