#include "shell_command.hpp"

#include <cstddef>
#include <initializer_list>

#include "agentrun/text.hpp"

namespace agentrun::codex {

namespace {

// Bytes. A summary has 120 characters of at most four.
constexpr std::size_t enough = 1024;

bool is_shell(std::string_view program) noexcept {
  const std::string_view name = program.substr(program.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string_view shell : {"bash", "sh", "zsh", "dash"}) {
    if (name == shell) return true;
  }
  return false;
}

/// The first shell word of `text` without its quotes, up to `enough` bytes or its first line end.
std::string unquoted_word(std::string_view text) {
  text = text.substr(0, enough);
  std::string word;
  word.reserve(text.size());
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || c == '\r') break;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\'') {
      word.push_back(c);
    } else if (c == '\\') {
      const char next = i + 1 < text.size() ? text[i + 1] : '\0';
      // Between double quotes it stands for itself in front of most characters.
      const bool escapes = quote == '\0' || next == '\\' || next == '"' || next == '$' || next == '`';
      if (escapes) ++i;
      if (i < text.size()) word.push_back(text[i]);
    } else if (quote == '"') {
      word.push_back(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ' ' || c == '\t') {
      break;
    } else {
      word.push_back(c);
    }
  }
  return word;
}

}  // namespace

std::string first_script_line(std::string_view command) {
  const std::size_t space = command.find(' ');
  if (space != std::string_view::npos && is_shell(command.substr(0, space))) {
    const std::string_view rest = command.substr(space);
    for (const std::string_view option : {" -c ", " -lc "}) {
      if (rest.starts_with(option)) return unquoted_word(rest.substr(option.size()));
    }
  }
  return std::string(first_line(command.substr(0, enough)));
}

}  // namespace agentrun::codex
