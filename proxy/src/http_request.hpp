#pragma once
// What a complete request head asks for: a tunnel, or one exchange with an origin server.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "request_head.hpp"
#include "target.hpp"

namespace agentrun::proxy {

/// One plain HTTP exchange. An allowed host must be no door to another site on its address, so the request line and
/// Host that go upstream are made from the judged target alone.
struct Forward {
  std::string head;                    ///< what goes to the origin
  std::size_t path_at = 0;             ///< where the path begins in it
  std::uint64_t content_length = 0;    ///< body bytes that belong to the request
  bool has_transfer_encoding = false;  ///< to be answered with 411, once the host is allowed
};

struct HttpRequest {
  Target target;
  std::optional<Forward> forward;  ///< nothing: CONNECT
  bool is_head_method = false;
};

/// The head for an upstream proxy instead: in absolute form, with `authorization` for Proxy-Authorization if it is not
/// empty.
[[nodiscard]] std::string head_for_upstream(const Forward& forward, const Target& target,
                                            std::string_view authorization);

/// The error: what is malformed, one of malformed.hpp; to be answered with 400.
[[nodiscard]] tl::expected<HttpRequest, std::string_view> interpret(const RequestHead& head);

}  // namespace agentrun::proxy
