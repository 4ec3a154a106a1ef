#include "plugins/plugin_facts.hpp"

#include <algorithm>

namespace agentrun::host {
namespace {

constexpr std::string_view magic = "agentrun-plugin";

/// The bytes up to the next NUL or the end, taken off `section`.
std::string_view next_string(std::string_view& section) noexcept {
  const std::string_view string = section.substr(0, section.find('\0'));
  section.remove_prefix(std::min(string.size() + 1, section.size()));
  return string;
}

// Attack: an untrusted file is only listed, but its version holds escape sequences for the terminal.
std::string printable(std::string_view text) {
  std::string clean(text);
  std::ranges::replace_if(
      clean, [](char c) { return c < ' ' || c > '~'; }, '?');
  return clean;
}

std::string* field_of(PluginFacts& facts, std::string_view key) noexcept {
  if (key == "kind") return &facts.kind;
  if (key == "name") return &facts.name;
  if (key == "version") return &facts.version;
  if (key == "abi") return &facts.abi;
  if (key == "sdk") return &facts.sdk;
  return nullptr;
}

}  // namespace

std::optional<PluginFacts> parse_facts(std::string_view section) {
  if (next_string(section) != magic) return std::nullopt;
  PluginFacts facts;
  while (!section.empty()) {
    const std::string_view entry = next_string(section);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    if (std::string* field = field_of(facts, entry.substr(0, equals))) *field = printable(entry.substr(equals + 1));
  }
  return facts;
}

}  // namespace agentrun::host
