#pragma once
// Directories for one examination, gone with it. Also after a killed doctor: a later run removes them.

#include <filesystem>
#include <string>

#include "agentrun/result.hpp"
#include "session/session_directory.hpp"

namespace agentrun::host {

class Scratch {
 public:
  [[nodiscard]] static Result<Scratch> make(const Environment& caller);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return directory_.path(); }
  /// A new directory below it, only for this user.
  [[nodiscard]] Result<std::filesystem::path> directory(const std::string& name) const;
  [[nodiscard]] Result<std::filesystem::path> file(const std::string& name, const std::string& content) const;

 private:
  explicit Scratch(SessionDirectory directory) : directory_(std::move(directory)) {}
  SessionDirectory directory_;
};

}  // namespace agentrun::host
