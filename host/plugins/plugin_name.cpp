#include "plugins/plugin_name.hpp"

#include <algorithm>
#include <array>

namespace agentrun::host {
namespace {

constexpr std::string_view prefix = "agentrun-";
constexpr std::string_view suffix = ".so";
constexpr std::array kinds = {PluginKind::backend, PluginKind::runtime};
constexpr std::array<std::string_view, 5> sub_commands = {"exec", "doctor", "plugins", "explain", "batch"};

bool is_name_character(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

std::string start_of(PluginKind kind) { return std::string(prefix) + to_string(kind) + '-'; }

}  // namespace

std::string file_name_of(const PluginName& plugin) { return start_of(plugin.kind) + plugin.name + std::string(suffix); }

std::optional<PluginName> parse_file_name(std::string_view file_name) {
  for (const PluginKind kind : kinds) {
    const std::string start = start_of(kind);
    if (file_name.size() > start.size() + suffix.size() && file_name.starts_with(start) &&
        file_name.ends_with(suffix)) {
      file_name.remove_prefix(start.size());
      file_name.remove_suffix(suffix.size());
      return PluginName{kind, std::string(file_name)};
    }
  }
  return std::nullopt;
}

// A name becomes part of a path: "../x" or "a/b" would leave the directories that are searched.
Result<void> check_name(const PluginName& plugin) {
  if (plugin.name.empty() || !std::ranges::all_of(plugin.name, is_name_character)) {
    return failure(ErrorCode::usage, "'" + plugin.name + "' is not a plugin name",
                   "A plugin's name is made of a-z, 0-9 and '-'");
  }
  if (plugin.kind == PluginKind::runtime && std::ranges::find(sub_commands, plugin.name) != sub_commands.end()) {
    return failure(ErrorCode::usage, "'" + plugin.name + "' is a sub-command of agentrun and cannot be a runtime",
                   "Give the plugin another name");
  }
  return {};
}

}  // namespace agentrun::host
