#include "plugins/load.hpp"

#include <boost/dll/shared_library.hpp>
#include <exception>
#include <string_view>
#include <utility>

#include "plugins/plugin_error.hpp"
#include "plugins/plugin_text.hpp"

namespace agentrun::host {
namespace {

/// Its destructor never runs: objects, strings and functions of a module are in use until the end.
template <class T>
union Immortal {
  explicit Immortal(T&& from) : value(std::move(from)) {}
  Immortal(const Immortal&) = delete;
  Immortal& operator=(const Immortal&) = delete;
  ~Immortal() {}
  T value;
};

tl::unexpected<PluginError> broken(std::string message) {
  return failed_at(PluginStage::descriptor, ErrorCode::plugin, std::move(message),
                   "Rebuild the plugin with this version's SDK");
}

bool equal(const char* text, std::string_view expected) noexcept { return text != nullptr && text == expected; }

template <class Interface>
bool complete(const PluginFactory<Interface>& factory) noexcept {
  return factory.create != nullptr && factory.destroy != nullptr;
}

}  // namespace

PluginResult<const AgentrunPluginDescriptor*> load_descriptor(const std::filesystem::path& file) {
  // Attack: a bare file name makes the loader take a file of that name from the current directory.
  if (!file.is_absolute()) {
    return failed_at(PluginStage::load, ErrorCode::plugin, quoted(file) + " is not an absolute path",
                     "Name its directory by an absolute path");
  }
  constexpr const char* symbol = AGENTRUN_DESCRIPTOR_PREFIX AGENTRUN_ABI_ID;
  try {
    // Bound at once: a missing function must show here, not in the middle of a run. Local: a plugin's symbols must
    // not replace those of another one. The overload that throws, since its text says which library or symbol is
    // missing; the other one says "Bad file descriptor".
    using boost::dll::load_mode::rtld_local;
    using boost::dll::load_mode::rtld_now;
    Immortal<boost::dll::shared_library> module(boost::dll::shared_library(file, rtld_now | rtld_local));
    if (!module.value.has(symbol)) return broken(quoted(file) + " does not export " + symbol);
    return &module.value.get<const AgentrunPluginDescriptor>(symbol);
  } catch (const std::exception& error) {
    return failed_at(PluginStage::load, ErrorCode::plugin, quoted(file) + " does not load: " + error.what(),
                     "Install what it needs, or install the plugin again");
  }
}

PluginResult<void> judge_descriptor(const AgentrunPluginDescriptor& descriptor, const PluginName& wanted) {
  const std::string plugin = described(wanted);
  if (descriptor.size != sizeof(AgentrunPluginDescriptor)) {
    return broken(plugin + " has a descriptor of " + std::to_string(descriptor.size) + " bytes, this agentrun reads " +
                  std::to_string(sizeof(AgentrunPluginDescriptor)));
  }
  if (!equal(descriptor.abi, AGENTRUN_ABI_ID)) {
    return broken(plugin + " was built for ABI " + (descriptor.abi == nullptr ? "(none)" : descriptor.abi) +
                  ", this agentrun has " + AGENTRUN_ABI_ID);
  }
  if (descriptor.kind != static_cast<std::uint32_t>(wanted.kind) || !equal(descriptor.name, wanted.name)) {
    return broken("the descriptor is not that of the " + plugin);
  }
  const bool usable = wanted.kind == PluginKind::backend ? complete(descriptor.backend) : complete(descriptor.runtime);
  if (!usable) return broken(plugin + " cannot be created: its descriptor lacks functions");
  return {};
}

}  // namespace agentrun::host
