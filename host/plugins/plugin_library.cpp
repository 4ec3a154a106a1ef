#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "agentrun/host/plugins.hpp"
#include "plugins/builtin.hpp"
#include "plugins/inspect.hpp"
#include "plugins/load.hpp"
#include "plugins/path_walk.hpp"
#include "plugins/platform.hpp"
#include "plugins/plugin_error.hpp"
#include "plugins/plugin_text.hpp"
#include "plugins/search.hpp"
#include "plugins/trust.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

tl::unexpected<PluginError> untrusted(const PluginName& plugin, Error error) {
  error.message = described(plugin) + " is not trusted: " + error.message;
  return failed_at(PluginStage::trust, std::move(error));
}

/// The real file behind `found`, once nobody else can exchange it.
PluginResult<fs::path> trusted_file(const PluginName& plugin, const fs::path& found,
                                    const std::vector<fs::path>& writable) {
  auto steps = walk(SystemPathReader(), found);
  if (!steps) return failed_at(PluginStage::trust, std::move(steps.error()));
  if (auto closed = judge_steps(*steps, geteuid()); !closed) return untrusted(plugin, std::move(closed.error()));
  if (auto apart = judge_place(*steps, writable); !apart) return untrusted(plugin, std::move(apart.error()));
  return steps->real;
}

PluginResult<const AgentrunPluginDescriptor*> load_found(const PluginName& plugin, const fs::path& found,
                                                         const std::vector<fs::path>& writable) {
  // From here to the load nobody but root and the user can exchange `file`: every step of its path has been judged.
  auto file = trusted_file(plugin, found, writable);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto bytes = FileBytes::open(*file);
  if (!bytes) return failed_at(PluginStage::inspect, std::move(bytes.error()));
  auto inspection = inspect(*bytes, *file);
  if (!inspection) return tl::unexpected(std::move(inspection.error()));
  if (auto fits = judge_inspection(*inspection, plugin, *file); !fits) return tl::unexpected(std::move(fits.error()));
  return load_descriptor(*file);
}

const AgentrunPluginDescriptor* find_builtin(const PluginName& plugin) {
  for (const AgentrunPluginDescriptor* descriptor : builtin_plugins()) {
    if (descriptor->kind == static_cast<std::uint32_t>(plugin.kind) && descriptor->name == plugin.name) {
      return descriptor;
    }
  }
  return nullptr;
}

PluginResult<const AgentrunPluginDescriptor*> find_descriptor(const std::vector<fs::path>& directories,
                                                              const PluginName& plugin,
                                                              const std::vector<fs::path>& writable) {
  auto found = find_plugin(directories, plugin);
  if (found) return load_found(plugin, *found, writable);
  if (const auto* builtin = find_builtin(plugin)) return builtin;
  return tl::unexpected(std::move(found.error()));
}

void keep_text(void* context, const char* text) noexcept { *static_cast<std::string*>(context) = text; }

template <class Interface>
PluginResult<PluginHandle<Interface>> create(const PluginFactory<Interface>& factory, const PluginName& plugin) {
  std::string reason;
  Interface* object = factory.create(&keep_text, &reason);
  if (object != nullptr) return PluginHandle<Interface>(object, factory.destroy);
  return failed_at(PluginStage::create, ErrorCode::plugin,
                   described(plugin) + " could not be created: " + (reason.empty() ? "it gave no reason" : reason),
                   plugin_detail::author_hint);
}

}  // namespace

PluginLibrary::PluginLibrary(std::vector<fs::path> directories) : directories_(std::move(directories)) {}

std::vector<fs::path> PluginLibrary::search_path(const Environment& caller, const fs::path& executable) {
  return search_directories({.caller = caller,
                             .executable = executable,
                             .compiled_in = AGENTRUN_COMPILED_IN_PLUGIN_DIRECTORY,
                             .elevated = elevated()});
}

std::vector<std::string> PluginLibrary::names(PluginKind kind) const {
  std::set<std::string> names;
  const auto add = [&](PluginName plugin) {
    if (plugin.kind == kind && check_name(plugin)) names.insert(std::move(plugin.name));
  };
  for (const fs::path& directory : directories_) {
    for (const fs::path& file : plugin_files(directory)) add(*parse_file_name(file.filename().string()));
  }
  for (const auto* builtin : builtin_plugins()) add({static_cast<PluginKind>(builtin->kind), builtin->name});
  return {names.begin(), names.end()};
}

PluginResult<PluginHandle<Runtime>> PluginLibrary::open_runtime(std::string_view name,
                                                                const std::vector<fs::path>& writable) const {
  const PluginName plugin{PluginKind::runtime, std::string(name)};
  auto descriptor = find_descriptor(directories_, plugin, writable);
  if (!descriptor) return tl::unexpected(std::move(descriptor.error()));
  if (auto usable = judge_descriptor(**descriptor, plugin); !usable) return tl::unexpected(std::move(usable.error()));
  return create((*descriptor)->runtime, plugin);
}

PluginResult<PluginHandle<Backend>> PluginLibrary::open_backend(std::string_view name,
                                                                const std::vector<fs::path>& writable) const {
  const PluginName plugin{PluginKind::backend, std::string(name)};
  auto descriptor = find_descriptor(directories_, plugin, writable);
  if (!descriptor) return tl::unexpected(std::move(descriptor.error()));
  if (auto usable = judge_descriptor(**descriptor, plugin); !usable) return tl::unexpected(std::move(usable.error()));
  return create((*descriptor)->backend, plugin);
}

std::optional<fs::path> PluginLibrary::directory_of(PluginKind kind, std::string_view name) const {
  const auto found = find_plugin(directories_, {kind, std::string(name)});
  if (!found) return std::nullopt;
  std::error_code error;
  const fs::path real = fs::canonical(*found, error);
  if (error) return std::nullopt;
  return real.parent_path();
}

}  // namespace agentrun::host
