#include "session/unix_sockets.hpp"

namespace agentrun::host {

// Seatbelt denies connecting to sockets outside the writable directories by path: none has to be known.
std::vector<std::filesystem::path> listening_unix_sockets() { return {}; }

std::vector<std::filesystem::path> socket_directories() { return {}; }

}  // namespace agentrun::host
