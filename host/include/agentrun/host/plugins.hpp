#pragma once
// Finding, judging and opening plugins. The interface of the room; Boost.DLL stays behind it.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/backend.hpp"
#include "agentrun/environment.hpp"
#include "agentrun/plugin.hpp"
#include "agentrun/result.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::host {

/// Where opening a plugin failed.
enum class PluginStage { search, trust, inspect, load, descriptor, create };

[[nodiscard]] std::string_view to_string(PluginStage stage) noexcept;

struct PluginError {
  PluginStage stage = PluginStage::search;
  Error error;  ///< both sides and the repair
};

template <class T>
using PluginResult = tl::expected<T, PluginError>;

/// Objects of a plugin are destroyed by the module that made them; modules are never unloaded.
template <class Interface>
using PluginHandle = std::unique_ptr<Interface, void (*)(Interface*)>;

/// One line of `agentrun plugins`: read from the file's bytes, no code of the plugin runs.
struct PluginListing {
  PluginKind kind = PluginKind::backend;
  std::string name;
  std::filesystem::path file;  ///< empty for one that is built in
  std::string version;         ///< empty when it cannot be told
  std::string abi;
  bool shadowed = false;             ///< an earlier directory has the same kind and name
  std::optional<PluginError> error;  ///< why it would be refused
};

class PluginLibrary {
 public:
  /// `directories` in search order, absolute. First hit wins and ends the search even if it then fails.
  explicit PluginLibrary(std::vector<std::filesystem::path> directories);

  /// AGENTRUN_PLUGIN_PATH (absolute entries; ignored when set-user-id), the user's data directory, the directory
  /// beside `executable`, the compiled-in one.
  [[nodiscard]] static std::vector<std::filesystem::path> search_path(const Environment& caller,
                                                                      const std::filesystem::path& executable);

  [[nodiscard]] const std::vector<std::filesystem::path>& directories() const noexcept { return directories_; }

  /// Names from file names and the table of built-in plugins, sorted, without duplicates. Opens nothing.
  [[nodiscard]] std::vector<std::string> names(PluginKind kind) const;

  /// A plugin below one of `writable` (paths that the agent may write) is refused: the agent could plant code that
  /// runs outside the sandbox next time.
  [[nodiscard]] PluginResult<PluginHandle<Runtime>> open_runtime(
      std::string_view name, const std::vector<std::filesystem::path>& writable) const;
  [[nodiscard]] PluginResult<PluginHandle<Backend>> open_backend(
      std::string_view name, const std::vector<std::filesystem::path>& writable) const;

  /// Where the file of a plugin lies, links resolved; nothing when it is built in or missing.
  [[nodiscard]] std::optional<std::filesystem::path> directory_of(PluginKind kind, std::string_view name) const;

  [[nodiscard]] std::vector<PluginListing> list() const;

 private:
  std::vector<std::filesystem::path> directories_;
};

}  // namespace agentrun::host
