#include "plugins/plugin_text.hpp"

namespace agentrun::host {

// Appended, since "'" + path.string() makes g++ 12 warn of an overlap that cannot be (GCC bug 105651).
std::string quoted(const std::filesystem::path& path) {
  std::string text = "'";
  text += path.native();
  text += '\'';
  return text;
}

std::string described(const PluginName& plugin) {
  return std::string(to_string(plugin.kind)) + " plugin '" + plugin.name + "'";
}

}  // namespace agentrun::host
