#pragma once
// The ways to ask for a host, and what each says.

#include <ostream>
#include <string>
#include <vector>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {

enum class Route { connect, plain, socks_name };
inline constexpr Route routes[] = {Route::connect, Route::plain, Route::socks_name};
std::ostream& operator<<(std::ostream& out, Route route);

enum class Answer { malformed, refused, failed, open, other };
std::ostream& operator<<(std::ostream& out, Answer answer);

/// The bytes that ask for `host`, whatever they are.
[[nodiscard]] std::string request_for(Route route, const std::string& host, std::uint16_t port);

/// For SOCKS5: greeting and request for an IPv4 address.
[[nodiscard]] std::string socks_request_for(std::uint32_t address, std::uint16_t port);

/// What comes back for a request_for(), read as far as its first answer.
[[nodiscard]] Answer answer_to(Peer& client, const std::string& request);

/// The same over a new connection.
[[nodiscard]] Answer answer_to(const ProxyUnderTest& proxy, const std::string& request);

}  // namespace agentrun::proxy::test
