#include "rollout.hpp"

#include <algorithm>
#include <utility>

#include "agentrun/text.hpp"
#include "call_output.hpp"
#include "patch.hpp"
#include "shell_command.hpp"
#include "token_counts.hpp"

namespace agentrun::codex {

namespace {

namespace dom = simdjson::dom;
using json::text_member;

/// {"command": ["bash", "-lc", "script"]}, as older tools write it.
std::string command_of_list(dom::element command) {
  dom::array words;
  if (command.get(words) != simdjson::SUCCESS) return {};
  std::string_view last;
  for (const dom::element word : words) {
    if (word.get(last) != simdjson::SUCCESS) return {};
  }
  return summary_line(first_line(last));
}

std::string command_summary(dom::element arguments) {
  for (const char* key : {"cmd", "command"}) {
    dom::element command;
    if (arguments[key].get(command) != simdjson::SUCCESS) continue;
    std::string_view text;
    if (command.get(text) == simdjson::SUCCESS) return summary_line(first_line(text));
    return command_of_list(command);
  }
  return {};
}

bool is_shell_tool(std::string_view name) {
  return name == "exec_command" || name == "shell_command" || name == "shell" || name == "container.exec";
}

/// "mcp__server__tool" as "server.tool".
std::string mcp_tool(std::string_view name) {
  constexpr std::string_view separator = "__";
  std::string tool(name.substr(std::string_view("mcp__").size()));
  const std::size_t at = tool.find(separator);
  if (at != std::string::npos) tool.replace(at, separator.size(), ".");
  return summary_line(tool);
}

/// How many calls that the stream shows the text of a script names. In a loop there are more of them, behind a
/// condition fewer.
std::size_t named_calls(std::string_view script) {
  std::size_t count = 0;
  for (const std::string_view tool : {"tools.exec_command(", "tools.apply_patch(", "tools.mcp__"}) {
    for (std::size_t at = script.find(tool); at != std::string_view::npos; at = script.find(tool, at + 1)) ++count;
  }
  return count;
}

}  // namespace

void RolloutReader::line(std::string_view line) {
  const auto entry = json_.parse(line);
  dom::element payload;
  if (!entry || (*entry)["payload"].get(payload) != simdjson::SUCCESS) return;
  const std::string_view type = text_member(*entry, "type");
  if (type == "response_item") {
    response_item(payload);
  } else if (type == "event_msg") {
    event(payload);
  } else if (type == "token_usage_record") {
    dom::element usage;
    if (payload["usage"].get(usage) == simdjson::SUCCESS) answers_ += token_counts(usage);
  }
}

TokenCounts RolloutReader::tokens() const {
  TokenCounts tokens = tokens_;
  tokens += answers_;
  return tokens;
}

void RolloutReader::begin_turn() {
  if (kept_ == 0) return;
  if (turns_.size() == kept_) turns_.pop_front();
  turns_.emplace_back();
  turns_.back().tokens_before = tokens();
  scripts_.clear();
}

void RolloutReader::response_item(dom::element payload) {
  if (turns_.empty()) return;
  const std::string_view type = text_member(payload, "type");
  if (type == "function_call") {
    call(payload, text_member(payload, "arguments"));
  } else if (type == "custom_tool_call") {
    call(payload, text_member(payload, "input"));
  } else if (type == "function_call_output" || type == "custom_tool_call_output") {
    output(payload);
  }
}

void RolloutReader::call(dom::element payload, std::string_view arguments) {
  RolloutCall call;
  call.id = text_member(payload, "call_id");
  const std::string_view tool = text_member(payload, "name");
  dom::element object;
  const bool is_object =
      arguments_.parse(arguments.data(), arguments.size()).get(object) == simdjson::SUCCESS && object.is_object();
  if (is_shell_tool(tool)) {
    call.name = "shell";
    if (is_object) call.summary = command_summary(object);
  } else if (tool == "apply_patch") {
    call.name = "patch";
    call.summary = summary_line(patched_files(is_object ? text_member(object, "input") : arguments));
  } else if (tool.starts_with("mcp__")) {
    call.name = "mcp";
    call.summary = mcp_tool(tool);
  } else if (tool == "exec") {
    const std::size_t named = named_calls(arguments);
    if (named == 0) return;
    call.name = "exec";
    call.summary = summary_line(first_line(arguments));
    scripts_.push_back({call.id, named, 0});
  } else {
    return;  // plans, waiting, looking at images: nothing that the stream would show
  }
  turns_.back().calls.push_back(std::move(call));
}

void RolloutReader::output(dom::element payload) {
  dom::element text;
  if (payload["output"].get(text) != simdjson::SUCCESS) return;
  CallOutput result = read_output(text);
  RolloutTurn& turn = turns_.back();
  if (result.sandbox_error && !turn.sandbox_error) turn.sandbox_error = std::move(result.sandbox_error);

  const std::string id(text_member(payload, "call_id"));
  const auto found = std::ranges::find(turn.calls, id, &RolloutCall::id);
  if (found == turn.calls.end()) return;
  found->ended = true;
  found->denied = result.denied;
  if (result.unsupported) turn.calls.erase(found);
  end_script(id);
}

void RolloutReader::event(dom::element payload) {
  const std::string_view type = text_member(payload, "type");
  if (type == "task_started") return begin_turn();
  if (type == "token_count") {
    dom::element total;
    if (payload["info"]["total_token_usage"].get(total) != simdjson::SUCCESS) return;
    tokens_ = token_counts(total);
    answers_ = {};
    return;
  }
  dom::element item;
  if (type != "item_completed" || payload["item"].get(item) != simdjson::SUCCESS) return;
  const std::string_view kind = text_member(item, "type");
  if (kind == "CommandExecution" || kind == "FileChange" || kind == "McpToolCall") {
    shown(std::string(text_member(item, "id")));
  }
}

void RolloutReader::shown(const std::string& call_id) {
  if (turns_.empty()) return;
  std::erase_if(turns_.back().calls, [&](const RolloutCall& call) { return call.id == call_id; });
  // A call of a script has an id of its own, which does not tell the script's.
  if (call_id.starts_with("exec-") && !scripts_.empty()) ++scripts_.back().shown;
}

void RolloutReader::end_script(const std::string& id) {
  const auto script = std::ranges::find(scripts_, id, &Script::id);
  if (script == scripts_.end()) return;
  if (script->shown >= script->named) {
    std::erase_if(turns_.back().calls, [&](const RolloutCall& call) { return call.id == id; });
  }
  scripts_.erase(script);
}

}  // namespace agentrun::codex
