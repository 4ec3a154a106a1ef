#include "run/hidden_sockets.hpp"

#include <algorithm>

#include "agentrun/path.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

bool any_contains(const std::vector<fs::path>& outer, const fs::path& inner) {
  return std::any_of(outer.begin(), outer.end(), [&](const fs::path& one) { return contains(one, inner); });
}

bool contains_any(const fs::path& outer, const std::vector<fs::path>& inner) {
  return std::any_of(inner.begin(), inner.end(), [&](const fs::path& one) { return contains(outer, one); });
}

}  // namespace

std::vector<fs::path> sockets_to_hide(const SocketPlaces& places, const std::vector<fs::path>& writable,
                                      const std::vector<fs::path>& allowed, const std::vector<fs::path>& required) {
  std::vector<fs::path> hidden;
  for (const fs::path& directory : places.directories) {
    const bool used = any_contains(writable, directory) || contains_any(directory, writable) ||
                      contains_any(directory, allowed) || contains_any(directory, required);
    if (!used) hidden.push_back(directory);
  }
  for (const fs::path& socket : places.sockets) {
    if (any_contains(hidden, socket) || any_contains(writable, socket) || any_contains(allowed, socket)) continue;
    hidden.push_back(socket);
  }
  return hidden;
}

}  // namespace agentrun::host
