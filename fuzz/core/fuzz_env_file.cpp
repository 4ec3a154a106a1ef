#include <algorithm>
#include <string>

#include "agentrun/env_file.hpp"
#include "agentrun/text.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {

void fuzz_env_file(std::string_view input) {
  const auto lines = static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n')) + 1;
  const auto parsed = parse_env_file(input, "f");
  if (!parsed) {
    require(parsed.error().code == ErrorCode::usage, "a bad line is a usage error");
    const std::string& message = parsed.error().message;
    const std::size_t colon = message.find(':', 2);
    require(message.substr(0, 2) == "f:" && colon != std::string::npos, "a refusal begins with file and line");
    const std::size_t number = std::stoul(message.substr(2, colon - 2));
    require(number >= 1 && number <= lines, "the line exists");
    return;
  }
  require(parsed->size() <= lines, "a line gives one variable at most");
  std::string written;
  for (const Variable& variable : *parsed) {
    require(is_variable_name(variable.name), "a variable has a good name");
    require(is_utf8(variable.value), "a value is UTF-8");
    require(variable.value.find_first_of(std::string_view("\n\0", 2)) == std::string::npos, "a value is one line");
    written += variable.name + "=\"" + variable.value + "\"\n";
  }
  const auto again = parse_env_file(written, "f");
  require(again.has_value() && *again == *parsed, "quoted values are read as they are");
}

}  // namespace agentrun::fuzz
