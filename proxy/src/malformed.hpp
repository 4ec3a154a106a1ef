#pragma once
// What can be wrong with a request, as the answer says it. Nothing of the request itself is repeated.

#include <string_view>

namespace agentrun::proxy::malformed {

inline constexpr std::string_view beginning =
    "it begins neither as HTTP nor as SOCKS5; TLS to the proxy is not spoken, so its URL must be http://";
inline constexpr std::string_view line_end = "a line of its head does not end with return and newline";
inline constexpr std::string_view control_byte = "its head holds a control byte";
inline constexpr std::string_view request_line = "its first line is not METHOD TARGET HTTP/1.1";
inline constexpr std::string_view field = "a header is not one line of NAME: VALUE";
inline constexpr std::string_view cut_short = "its head is cut short";
inline constexpr std::string_view length = "Content-Length is not one plain number";
inline constexpr std::string_view two_framings = "it has Transfer-Encoding and Content-Length";
inline constexpr std::string_view host = "Host is missing, doubled or no host";
inline constexpr std::string_view connect_target = "the target of CONNECT is not HOST:PORT";
inline constexpr std::string_view plain_target =
    "the target is not http://HOST[:PORT]/PATH without user information and fragment";

}  // namespace agentrun::proxy::malformed
