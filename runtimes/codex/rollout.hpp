#pragma once
// codex's own record of a thread, the rollout: JSON lines. It knows tool calls that the stream leaves out: a command
// that fails at once and looks denied by the sandbox ("Read-only file system", "Permission denied"), a patch or a
// command that codex's rules refuse, and all that while the process exits with 0 (measured with 0.159.2 and 0.171.0).

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "agentrun/usage.hpp"
#include "json/json_line.hpp"

namespace agentrun::codex {

struct RolloutCall {
  std::string id;
  std::string name;  ///< as in the stream: "shell", "patch", "mcp"; "exec" for a script of calls
  std::string summary;
  bool ended = false;
  bool denied = false;
};

/// One turn: what a prompt started.
struct RolloutTurn {
  TokenCounts tokens_before;       ///< of the whole thread, when the turn began; all absent: none were counted
  std::vector<RolloutCall> calls;  ///< those without an item in the stream
  std::optional<std::string> sandbox_error;
};

/// Reads the lines of one rollout. Memory grows with the calls of the turns that are kept, not with their outputs.
class RolloutReader {
 public:
  /// Keeps the last `turns` turns: those of this run. A resumed thread has earlier ones.
  explicit RolloutReader(std::size_t turns) : kept_(turns) {}

  /// One line without its newline, with Translator::line_padding readable bytes behind it.
  void line(std::string_view line);

  [[nodiscard]] const std::deque<RolloutTurn>& turns() const noexcept { return turns_; }
  /// What the thread had used at the last line.
  [[nodiscard]] TokenCounts tokens() const;

 private:
  /// A script of several calls (code mode), while it runs.
  struct Script {
    std::string id;
    std::size_t named = 0;  ///< calls that its text names
    std::size_t shown = 0;  ///< items that came while it ran
  };

  void begin_turn();
  void response_item(simdjson::dom::element payload);
  void call(simdjson::dom::element payload, std::string_view arguments);
  void output(simdjson::dom::element payload);
  void event(simdjson::dom::element payload);
  void shown(const std::string& call_id);
  void end_script(const std::string& id);

  std::size_t kept_;
  json::JsonLine json_;
  simdjson::dom::parser arguments_;
  std::deque<RolloutTurn> turns_;
  std::vector<Script> scripts_;
  TokenCounts tokens_;   ///< the last total
  TokenCounts answers_;  ///< of single answers of the model since then
};

}  // namespace agentrun::codex
