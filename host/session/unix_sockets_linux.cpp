#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "session/unix_sockets.hpp"

namespace agentrun::host {

std::vector<std::filesystem::path> listening_unix_sockets() {
  std::ifstream file("/proc/net/unix", std::ios::binary);
  return parse_unix_sockets(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::vector<std::filesystem::path> socket_directories() {
  const std::string user = std::to_string(::geteuid());
  return {"/run/user/" + user, "/tmp/.X11-unix", "/tmp/.ICE-unix", "/tmp/tmux-" + user};
}

}  // namespace agentrun::host
