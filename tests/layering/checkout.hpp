#pragma once
// The sources that the tests of this folder read.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace agentrun::layering {

inline const std::filesystem::path checkout = AGENTRUN_CHECKOUT;

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace agentrun::layering
