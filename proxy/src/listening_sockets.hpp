#pragma once
// The two sockets that clients connect to.

#include <cstdint>
#include <filesystem>

#include "agentrun/result.hpp"

namespace agentrun::proxy {

/// The caller owns the descriptors.
struct TcpListener {
  int descriptor = -1;
  std::uint16_t port = 0;
};

/// 127.0.0.1, a free port.
[[nodiscard]] Result<TcpListener> listen_on_loopback();

/// Mode 0600 from the moment that it can be connected to. The file must not exist yet.
[[nodiscard]] Result<int> listen_on_unix(const std::filesystem::path& path);

}  // namespace agentrun::proxy
