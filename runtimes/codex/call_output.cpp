#include "call_output.hpp"

#include <string_view>

#include "agentrun/text.hpp"
#include "json/json_line.hpp"

namespace agentrun::codex {

namespace {

namespace dom = simdjson::dom;

/// With exit code 0 the command ran, so what it printed is its own.
bool ended_well(std::string_view head) {
  return head.find("Process exited with code 0\n") != std::string_view::npos ||
         head.find("Exit code: 0\n") != std::string_view::npos;
}

void read_text(std::string_view text, CallOutput& result) {
  constexpr std::string_view script_error = "Script error:\n";
  if (text.starts_with(script_error)) text.remove_prefix(script_error.size());
  result.denied |= text.starts_with("patch rejected: ") || text.starts_with("approval policy is Never; reject command");
  result.unsupported |= text.starts_with("unsupported call: ");

  constexpr std::string_view label = "Output:\n";
  const std::size_t at = text.find(label);
  if (at == std::string_view::npos || ended_well(text.substr(0, at))) return;
  if (!result.sandbox_error) result.sandbox_error = sandbox_failure(text.substr(at + label.size()));
}

/// A call's result inside a script is an object with "exit_code" and "output", if the script shows it unchanged.
void read_script_result(std::string_view text, CallOutput& result) {
  if (!text.starts_with("{")) return;
  dom::parser parser;
  dom::element object;
  std::int64_t code = 0;
  if (parser.parse(text.data(), text.size()).get(object) != simdjson::SUCCESS ||
      object["exit_code"].get(code) != simdjson::SUCCESS || code == 0) {
    return;
  }
  if (!result.sandbox_error) result.sandbox_error = sandbox_failure(json::text_member(object, "output"));
}

}  // namespace

CallOutput read_output(dom::element output) {
  CallOutput result;
  std::string_view text;
  dom::array parts;
  if (output.get(text) == simdjson::SUCCESS) {
    read_text(text, result);
  } else if (output.get(parts) == simdjson::SUCCESS) {
    for (const dom::element part : parts) {
      const std::string_view piece = json::text_member(part, "text");
      read_text(piece, result);
      read_script_result(piece, result);
    }
  }
  return result;
}

std::optional<std::string> sandbox_failure(std::string_view output) {
  if (output.starts_with("bwrap: ") || output.starts_with("bundled bubblewrap ")) {
    return std::string(first_line(output));
  }
  // "\nthread 'main' (7593) panicked at linux-sandbox/src/launcher.rs:68:13:\nREASON\n"
  while (output.starts_with('\n')) output.remove_prefix(1);
  const std::string_view head = first_line(output);
  if (!head.starts_with("thread 'main'") || head.find("panicked at linux-sandbox/") == std::string_view::npos) {
    return std::nullopt;
  }
  if (head.size() == output.size()) return std::string(head);
  return std::string(first_line(output.substr(head.size() + 1)));
}

}  // namespace agentrun::codex
