#include "agentrun/environment.hpp"

#include <algorithm>

namespace agentrun {

Environment Environment::from_block(const char* const* block) {
  Environment environment;
  if (block == nullptr) return environment;
  for (; *block != nullptr; ++block) {
    const std::string_view entry(*block);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    // getenv(3) returns the first of two entries with one name.
    environment.variables_.try_emplace(std::string(entry.substr(0, equals)), entry.substr(equals + 1));
  }
  return environment;
}

std::optional<std::string_view> Environment::get(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> Environment::get_nonempty(std::string_view name) const {
  const auto value = get(name);
  return value && !value->empty() ? value : std::nullopt;
}

void Environment::set(std::string_view name, std::string_view value) {
  const auto found = variables_.find(name);
  if (found == variables_.end()) {
    variables_.emplace(name, value);
  } else {
    found->second = value;
  }
}

bool Environment::erase(std::string_view name) {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return false;
  variables_.erase(found);
  return true;
}

std::vector<std::string> Environment::to_block() const {
  std::vector<std::string> block;
  block.reserve(variables_.size());
  for (const auto& [name, value] : variables_) {
    std::string& entry = block.emplace_back(name);
    entry += '=';
    entry += value;
  }
  return block;
}

bool is_variable_name(std::string_view name) noexcept {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto letter_or_digit = [letter](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), letter_or_digit);
}

}  // namespace agentrun
