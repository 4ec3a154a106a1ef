#include "patch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace agentrun::codex {

namespace {

constexpr std::array<std::string_view, 4> headers = {
    "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};
constexpr std::size_t enough = 1024;  // bytes

}  // namespace

bool append_path(std::string& list, std::string_view path) {
  if (!list.empty()) list += ", ";
  list += path.substr(0, enough);
  return list.size() < enough;
}

std::string patched_files(std::string_view patch) {
  std::string files;
  while (!patch.empty()) {
    const std::size_t end = std::min(patch.find('\n'), patch.size());
    std::string_view line = patch.substr(0, end);
    patch.remove_prefix(std::min(end + 1, patch.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (const std::string_view header : headers) {
      if (line.starts_with(header) && !append_path(files, line.substr(header.size()))) return files;
    }
  }
  return files;
}

}  // namespace agentrun::codex
