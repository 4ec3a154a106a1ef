#include "agentrun/env_file.hpp"

#include <optional>

#include "agentrun/text.hpp"

namespace agentrun {
namespace {

constexpr std::string_view blank = " \t";

/// A reason holds nothing of the line: it may be a secret that lost its name.
struct Refusal {
  const char* reason;
  const char* remedy;
};

using Line = tl::expected<std::optional<Variable>, Refusal>;

Line refuse(const char* reason, const char* remedy) { return tl::unexpected<Refusal>(Refusal{reason, remedy}); }

std::string_view unquoted(std::string_view value) {
  const bool quoted =
      value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.front() == value.back();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

Line parse_line(std::string_view line) {
  if (!is_utf8(line)) return refuse("the line is not UTF-8", "Save the file as UTF-8");
  const std::size_t start = line.find_first_not_of(blank);
  if (start == std::string_view::npos || line[start] == '#') return std::nullopt;
  // execve(2) would cut the value there.
  if (line.find('\0') != std::string_view::npos) return refuse("the line holds a NUL byte", "Remove it");

  constexpr std::string_view export_word = "export ";
  if (line.substr(0, export_word.size()) == export_word) line.remove_prefix(export_word.size());
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return refuse("the line has no '='", "Write KEY=VALUE, each on one line");

  const std::string_view name = line.substr(0, equals);
  const std::string_view value = line.substr(equals + 1);
  const bool spaced = (!name.empty() && blank.find(name.back()) != std::string_view::npos) ||
                      (!value.empty() && blank.find(value.front()) != std::string_view::npos);
  if (spaced) return refuse("there is white space beside the '='", "Write KEY=VALUE without it");
  if (!is_variable_name(name)) {
    return refuse("the name is not made of letters, digits and '_', the first one no digit",
                  "Write KEY=VALUE from the start of the line");
  }
  return Variable{std::string(name), std::string(unquoted(value))};
}

}  // namespace

Result<std::vector<Variable>> parse_env_file(std::string_view content, std::string_view file_name) {
  std::vector<Variable> variables;
  for (std::size_t number = 1; !content.empty(); ++number) {
    const std::size_t end = content.find('\n');
    std::string_view line = content.substr(0, end);
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    Line parsed = parse_line(line);
    if (!parsed) {
      return failure(ErrorCode::usage,
                     std::string(file_name) + ':' + std::to_string(number) + ": " + parsed.error().reason,
                     parsed.error().remedy);
    }
    if (*parsed) variables.push_back(std::move(**parsed));
  }
  return variables;
}

}  // namespace agentrun
