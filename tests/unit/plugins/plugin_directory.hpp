#pragma once
// Temporary directories with fixture plugins in them.

#include <filesystem>
#include <fstream>
#include <string>

#include "agentrun/host/plugins.hpp"
#include "temp_dir.hpp"

namespace agentrun::host {

/// A directory of the test's own (mode 0700), removed at the end.
class PluginDirectory {
 public:
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return directory_.path(); }

  /// A directory with modes that do not depend on the umask.
  std::filesystem::path make(const std::string& name) const {
    const std::filesystem::path made = directory_.make(name);
    set_mode(made, 0755);
    return made;
  }

  /// A copy of a fixture ("runtime-good") as `directory`/`as`.
  static std::filesystem::path install(const std::string& fixture, const std::filesystem::path& directory,
                                       const std::string& as) {
    const std::filesystem::path file = directory / as;
    std::filesystem::copy_file(std::filesystem::path(AGENTRUN_FIXTURES) / ("agentrun-" + fixture + ".so"), file);
    set_mode(file, 0644);
    return file;
  }
  std::filesystem::path install(const std::string& fixture) const {
    return install(fixture, path(), "agentrun-" + fixture + ".so");
  }

  static std::filesystem::path write(const std::filesystem::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
    set_mode(file, 0644);
    return file;
  }

  static void set_mode(const std::filesystem::path& path, unsigned mode) {
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
  }

  [[nodiscard]] PluginLibrary library() const { return PluginLibrary({path()}); }

 private:
  testing::TempDir directory_;
};

/// Stage and text of a failed opening; "opened" when it did not fail.
struct Outcome {
  std::string stage;
  std::string message;
  std::string hint;
  ErrorCode code = ErrorCode::io;
};

template <class T>
Outcome outcome_of(const PluginResult<T>& result) {
  if (result) return {"opened", "", ""};
  return {std::string(to_string(result.error().stage)), result.error().error.message, result.error().error.hint,
          result.error().error.code};
}

}  // namespace agentrun::host
