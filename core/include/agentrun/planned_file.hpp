#pragma once
// A file that a plugin wants to find when the process starts. The host writes it.

#include <cstdint>
#include <filesystem>
#include <string>

namespace agentrun {

struct PlannedFile {
  std::filesystem::path path;
  std::string content;
  std::uint32_t mode = 0600;
};

}  // namespace agentrun
