#pragma once
// What the proxy says itself, instead of a tunnel or an origin's answer.

#include <string>
#include <string_view>

#include "agentrun/network_policy.hpp"
#include "target.hpp"

namespace agentrun::proxy {

enum class Body { with, without };

/// A whole HTTP answer that closes the connection. `sentence` is the body; Body::without leaves it out (an answer to
/// HEAD) but not its length.
[[nodiscard]] std::string error_answer(int status, std::string_view sentence, Body body);

/// 400: "agentrun: the request is malformed: CAUSE", CAUSE one of malformed.hpp.
[[nodiscard]] std::string malformed_answer(std::string_view cause, Body body);
[[nodiscard]] std::string head_timeout_answer(Body body);     ///< 408
[[nodiscard]] std::string length_required_answer(Body body);  ///< 411
[[nodiscard]] std::string head_too_large_answer(Body body);   ///< 431

/// 403: "agentrun: HOST:PORT is not allowed (REASON)".
[[nodiscard]] std::string refused_answer(const Target& target, DenyReason reason, Body body);
/// 502: "agentrun: HOST:PORT CAUSE".
[[nodiscard]] std::string failed_answer(const Target& target, std::string_view cause, Body body);

/// "connection failed (ERROR)", ERROR being the operating system's text.
[[nodiscard]] std::string connection_failed(int error);
inline constexpr std::string_view not_resolved = "could not be resolved";

/// Who answers the proxy: the target itself, or the caller's own proxy. The latter is never named.
enum class Hop { origin, upstream };

/// "upstream proxy connection failed (ERROR)".
[[nodiscard]] std::string upstream_connection_failed(int error);
/// The same for an upstream proxy whose name has no address.
[[nodiscard]] std::string upstream_not_resolved();
/// "upstream proxy answered CODE".
[[nodiscard]] std::string upstream_answered(int status);
inline constexpr std::string_view upstream_timed_out = "upstream proxy did not answer in time";
inline constexpr std::string_view upstream_closed = "upstream proxy closed the connection";
inline constexpr std::string_view upstream_invalid = "upstream proxy answered an invalid response";

// To a plain HTTP request.
[[nodiscard]] std::string_view no_answer(Hop hop) noexcept;
[[nodiscard]] std::string_view invalid_answer(Hop hop) noexcept;

inline constexpr std::string_view tunnel_established = "HTTP/1.1 200 Connection established\r\n\r\n";

}  // namespace agentrun::proxy
