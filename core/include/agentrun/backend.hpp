#pragma once
// The interface of a backend plugin: one way to confine a process. A backend checks whether it works here and plans
// the command to spawn; it never spawns, writes or waits: the host does. As with runtimes, an implementation may
// throw and the macro in plugin.hpp turns that into an Error.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/check_services.hpp"
#include "agentrun/network_access.hpp"
#include "agentrun/planned_file.hpp"
#include "agentrun/policy.hpp"
#include "agentrun/result.hpp"

namespace agentrun {

/// `missing` is empty when everything the policy promises is enforced.
struct Enforcement {
  std::vector<std::string> missing;  ///< each as a phrase: "shares the process list"

  [[nodiscard]] bool full() const noexcept { return missing.empty(); }
};

struct BackendTraits {
  std::string kind;                        ///< for start.sandbox: "bubblewrap", "seatbelt", "none"
  bool confines = true;                    ///< false: the command runs as it is
  bool limits_network = true;              ///< can cut the network and leave only the proxy
  std::string denied_text;                 ///< how a denied write shows in a command's output: "Read-only file system"
  std::vector<std::string> only_for = {};  ///< the runtimes that it fits ("exec" for commands); empty: any
};

/// A program that the backend needs.
struct Tool {
  std::string name;
  std::filesystem::path path;
  std::string version;  ///< empty when not asked for
};

/// One attempt to start the sandbox.
struct CheckStep {
  std::string name;
  std::chrono::milliseconds duration{};
  std::string outcome;  ///< "ok", or why not
};

struct Readiness {
  Enforcement enforcement;
  std::vector<Tool> tools;
  std::vector<CheckStep> steps;
  /// Nothing was started yet: the run's own start, behind SandboxPlan::gate, is the check.
  bool by_start = false;
  /// The command reaches the proxy by NetworkAccess::proxy_socket.
  bool by_socket = false;
};

struct CheckRequest {
  bool proxied = false;        ///< the run will need the proxy inside the sandbox
  bool with_versions = false;  ///< ask the tools for their versions (dry run, debug, doctor)
  /// The run's own start may stand for the check, where the backend can hold it back (Readiness::by_start).
  bool by_start = false;
  /// The runtime starts the sandbox itself, with the backend's tools and without its helpers.
  bool by_runtime = false;
  std::filesystem::path plugin_directory =
      {};  ///< where the backend's file lies, links resolved; its helpers lie beside it
};

struct PlanRequest {
  const Policy& policy;
  NetworkAccess network;
  std::filesystem::path session_directory;
  std::vector<std::string> command;  ///< argv; the first one is an absolute path
};

/// A start that is held back. Before the command begins, a program of the backend's own runs inside the sandbox. At
/// descriptor `channel` (a stream socket) it reports with one byte that the sandbox stands, and passes a listening
/// socket with it when the network is proxied: the host serves the proxy's clients there. One byte from the host then
/// lets the command begin; the end of the channel instead ends the process. What the wrapper says on standard error
/// is its own; the command's standard error is descriptor `standard_error`. Both are closed for the command.
struct Gate {
  static constexpr int channel = 3;
  static constexpr int standard_error = 4;
};

/// Bytes that the started program reads from a descriptor.
struct PlannedInput {
  int number = 3;  ///< as the command line names it: in ascending order without gaps, above the gate's
  std::string content;
};

struct SandboxPlan {
  std::vector<std::string> argv;
  std::size_t command_at = 0;      ///< index in argv where PlanRequest::command begins
  std::vector<PlannedFile> files;  ///< written before the start (not in a dry run)
  /// How many processes lie between the spawned one and the command: 0 when it is the command itself. Signals for
  /// the command go that many levels down.
  unsigned depth = 0;
  std::optional<Gate> gate = std::nullopt;
  std::vector<PlannedInput> inputs = {};
};

/// Tells a wrapper's own failure to start from a failure of the command: the exit code is not zero (and one of
/// `exit_codes` unless that is empty) and a line of standard error starts with `prefix`, lines equal to one of
/// `notices` left out.
struct StartFailureRule {
  std::string prefix;  ///< empty: there is no wrapper that could fail
  std::vector<int> exit_codes;
  std::vector<std::string> notices;
};

/// One object a run. `check` comes before `plan`, which uses what the check found.
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual BackendTraits traits() const = 0;

  /// Refused with ErrorCode::unavailable, cause and remedy; the message does not repeat "sandbox is not available".
  [[nodiscard]] virtual Result<Readiness> check(CheckServices& services, const CheckRequest& request) = 0;

  /// Refuses a policy that it cannot enforce.
  [[nodiscard]] virtual Result<SandboxPlan> plan(const PlanRequest& request) const = 0;

  /// For a runtime that confines itself by this backend (RuntimeTraits::confines_itself): what its program is told,
  /// directly behind its name or where Launch::own_arguments_at says. `command` of the request is empty.
  [[nodiscard]] virtual Result<std::vector<std::string>> own_arguments(const PlanRequest& request) const {
    static_cast<void>(request);
    return std::vector<std::string>{};
  }

  [[nodiscard]] virtual StartFailureRule start_failure() const = 0;
};

}  // namespace agentrun
