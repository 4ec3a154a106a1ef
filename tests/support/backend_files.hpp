#pragma once
// Files that a test of a backend puts where a policy names them.

#include <filesystem>
#include <fstream>
#include <string_view>

#include "temp_dir.hpp"

namespace agentrun::testing {

inline std::filesystem::path make_directory(const std::filesystem::path& path) {
  std::filesystem::create_directories(path);
  return path;
}

inline std::filesystem::path write_file(const std::filesystem::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace agentrun::testing
