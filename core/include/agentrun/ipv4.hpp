#pragma once
// IPv4 addresses as numbers in host byte order. The project speaks IPv4 only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace agentrun {

/// A plain dotted quad of decimal parts without leading zeros; nothing for any other spelling ("127.1", "0x7f.1").
[[nodiscard]] std::optional<std::uint32_t> parse_ipv4(std::string_view text) noexcept;

[[nodiscard]] std::string format_ipv4(std::uint32_t address);

/// 0/8, 10/8, 100.64/10, 127/8, 169.254/16, 172.16/12, 192.168/16. Not 198.18/15: fake-ip DNS tools map public
/// names there.
[[nodiscard]] bool is_private_ipv4(std::uint32_t address) noexcept;

}  // namespace agentrun
