#pragma once
// How what runs in the sandbox reaches the network.

#include <cstdint>
#include <filesystem>
#include <string>

namespace agentrun {

/// How the command reaches the network.
struct NetworkAccess {
  enum class Kind { open, cut, proxied };
  Kind kind = Kind::cut;
  std::uint16_t port = 0;              ///< of the proxy on 127.0.0.1, outside and inside the sandbox alike
  std::filesystem::path proxy_socket;  ///< its unix socket, in the session directory (Readiness::by_socket)
};

/// The port as a command shows it: "<proxy port>" in a dry run, where there is none yet.
[[nodiscard]] inline std::string port_text(const NetworkAccess& network) {
  return network.port == 0 ? "<proxy port>" : std::to_string(network.port);
}

}  // namespace agentrun
