#pragma once
// Which unix sockets outside are covered. Pure.

#include <filesystem>
#include <vector>

namespace agentrun::host {

struct SocketPlaces {
  std::vector<std::filesystem::path> sockets;      ///< that listen
  std::vector<std::filesystem::path> directories;  ///< where services make sockets
};

/// A directory is covered as a whole, so that a socket that appears later is covered too, unless something in it is in
/// use: `writable` directories and `allowed` sockets, or `required` ones. A socket below a writable directory is the
/// agent's own.
[[nodiscard]] std::vector<std::filesystem::path> sockets_to_hide(const SocketPlaces& places,
                                                                 const std::vector<std::filesystem::path>& writable,
                                                                 const std::vector<std::filesystem::path>& allowed,
                                                                 const std::vector<std::filesystem::path>& required);

}  // namespace agentrun::host
