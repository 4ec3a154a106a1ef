#include "plugins/inspect.hpp"

#include <algorithm>
#include <string>

#include "plugins/platform.hpp"
#include "plugins/plugin_error.hpp"
#include "plugins/plugin_text.hpp"

namespace agentrun::host {
namespace {

constexpr const char* sdk_hint = "A plugin is a class and AGENTRUN_RUNTIME_PLUGIN or AGENTRUN_BACKEND_PLUGIN";

tl::unexpected<PluginError> refused(std::string message, std::string hint) {
  return failed_at(PluginStage::inspect, ErrorCode::plugin, std::move(message), std::move(hint));
}

PluginResult<void> judge_machine(const ModuleImage& image, const PluginName& wanted) {
  if (image.format == native_format() && image.machine == native_machine()) return {};
  return refused(described(wanted) + " was built for " + to_string(image.format) + " on " + to_string(image.machine) +
                     ", this agentrun runs on " + to_string(native_format()) + " on " + to_string(native_machine()),
                 "Install the plugin for this machine");
}

PluginResult<void> judge_abi(const ModuleImage& image, const PluginName& wanted, const std::filesystem::path& path) {
  const std::string own = std::string(AGENTRUN_DESCRIPTOR_PREFIX) + AGENTRUN_ABI_ID;
  if (std::ranges::find(image.descriptors, own) != image.descriptors.end()) return {};
  if (image.descriptors.empty()) {
    return refused(quoted(path) + " exports no " AGENTRUN_DESCRIPTOR_PREFIX "… symbol", sdk_hint);
  }
  const std::string other = image.descriptors.front().substr(std::string_view(AGENTRUN_DESCRIPTOR_PREFIX).size());
  return refused("plugin '" + wanted.name + "' was built for ABI " + other + ", this agentrun has " + AGENTRUN_ABI_ID,
                 "Rebuild it with this version's SDK, or install the matching package");
}

PluginResult<void> judge_identity(const PluginFacts& facts, const PluginName& wanted,
                                  const std::filesystem::path& path) {
  if (facts.kind == to_string(wanted.kind) && facts.name == wanted.name) return {};
  return refused(
      quoted(path) + " holds the " + facts.kind + " plugin '" + facts.name + "', not the " + described(wanted),
      "Name the file agentrun-" + facts.kind + "-" + facts.name + ".so");
}

}  // namespace

PluginResult<Inspection> inspect(const ByteSource& file, const std::filesystem::path& path) {
  auto image = read_image(file);
  if (!image) {
    return refused(quoted(path) + " " + image.error().message,
                   image.error().hint.empty() ? "Install the plugin again" : image.error().hint);
  }
  auto facts = parse_facts(image->facts);
  if (!facts) return refused(quoted(path) + " is a shared object, but no agentrun plugin", sdk_hint);
  return Inspection{std::move(*image), std::move(*facts)};
}

PluginResult<void> judge_inspection(const Inspection& inspection, const PluginName& wanted,
                                    const std::filesystem::path& path) {
  if (auto machine = judge_machine(inspection.image, wanted); !machine) return machine;
  if (auto identity = judge_identity(inspection.facts, wanted, path); !identity) return identity;
  return judge_abi(inspection.image, wanted, path);
}

}  // namespace agentrun::host
