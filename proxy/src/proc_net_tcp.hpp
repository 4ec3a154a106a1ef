#pragma once
// Linux's /proc/net/tcp, where sock_diag(7) is not to be had.

#include <cstdint>
#include <optional>
#include <string_view>

namespace agentrun::proxy {

/// Addresses and ports in host byte order.
struct Endpoint {
  std::uint32_t address = 0;
  std::uint16_t port = 0;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// The owner of the connected socket `local` -> `remote` in the file's text. Nothing when it is not there or is no
/// process's any more.
[[nodiscard]] std::optional<std::uint32_t> find_owner(std::string_view table, Endpoint local, Endpoint remote);

}  // namespace agentrun::proxy
