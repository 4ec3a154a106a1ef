#pragma once
// SOCKS5 (RFC 1928), the part that is served: no authentication, CONNECT, IPv4 addresses and names.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "target.hpp"

namespace agentrun::proxy {

inline constexpr char socks_version = 5;

enum class SocksReply : std::uint8_t {
  succeeded = 0,
  general_failure = 1,  ///< also: malformed
  not_allowed = 2,
  host_unreachable = 4,
  connection_refused = 5,
  command_not_supported = 7,
  address_type_not_supported = 8
};

enum class SocksProgress { need_more, complete, refused };

/// `bytes` is everything since the first byte, which is 5.
struct SocksGreeting {
  SocksProgress progress = SocksProgress::need_more;
  std::size_t size = 0;  ///< bytes of the greeting, once complete
};
[[nodiscard]] SocksGreeting parse_socks_greeting(std::string_view bytes) noexcept;

/// `bytes` is everything behind the greeting.
struct SocksRequest {
  SocksProgress progress = SocksProgress::need_more;
  SocksReply reply = SocksReply::succeeded;  ///< why it is refused
  std::size_t size = 0;                      ///< bytes of the request, once complete
  std::optional<Target> target;              ///< once complete
};
[[nodiscard]] SocksRequest parse_socks_request(std::string_view bytes);

/// The answers to a greeting.
inline constexpr std::string_view socks_no_authentication{"\x05\x00", 2};
inline constexpr std::string_view socks_no_acceptable_method{"\x05\xFF", 2};

/// The answer to a request. The bound address in it is 0.0.0.0:0: it is nobody's business inside.
[[nodiscard]] std::string socks_answer(SocksReply reply);

/// For a failed connection, by the operating system's error.
[[nodiscard]] SocksReply socks_reply_for(int error) noexcept;

}  // namespace agentrun::proxy
