#pragma once
// A temporary directory of a test, and small ways to fill it.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "agentrun/environment.hpp"

namespace agentrun::host::testing {

class Scratch {
 public:
  Scratch() : Scratch(std::filesystem::temp_directory_path()) {}
  explicit Scratch(const std::filesystem::path& parent) {
    std::string name = (parent / "session-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = std::filesystem::canonical(name);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  std::filesystem::path file(std::string_view name, std::string_view content = "") const {
    const auto path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::filesystem::path program(std::string_view name) const {
    const auto path = file(name, "#!/bin/sh\n");
    ::chmod(path.c_str(), 0755);
    return path;
  }
  std::filesystem::path directory(std::string_view name) const {
    std::filesystem::create_directories(path_ / name);
    return path_ / name;
  }
  std::filesystem::path fifo(std::string_view name) const {
    if (::mkfifo((path_ / name).c_str(), 0600) != 0) throw std::runtime_error("no FIFO");
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline unsigned mode_of(const std::filesystem::path& file) {
  struct stat facts {};
  return ::lstat(file.c_str(), &facts) == 0 ? facts.st_mode & 07777u : 0u;
}

inline Environment environment_of(std::initializer_list<Variable> variables) {
  Environment environment;
  for (const auto& variable : variables) environment.set(variable.name, variable.value);
  return environment;
}

}  // namespace agentrun::host::testing
