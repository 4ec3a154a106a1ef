#pragma once
// The head of an origin's answer to a plain HTTP request: found, checked and rewritten as its bytes come. More
// lenient than requests are: what is passed on is written anew, and one connection carries one answer.

#include <string>
#include <string_view>

#include "answers.hpp"

namespace agentrun::proxy {

class ResponseHeadFilter {
 public:
  enum class Progress {
    need_more,
    passed,   ///< the final head and what came behind it are in `out`; from now on bytes go through as they are
    invalid,  ///< no status, a head over 64 KiB, or bytes that no head may hold
    refused   ///< the upstream proxy wants other credentials: nothing that the client could give
  };

  explicit ResponseHeadFilter(Hop hop) noexcept : hop_(hop) {}

  /// Takes the next bytes and appends to `out` what goes to the client: interim (1xx) heads, then the final one, each
  /// without hop-by-hop and Proxy-* fields, the final one with "Connection: close".
  [[nodiscard]] Progress feed(std::string_view bytes, std::string& out);

 private:
  Hop hop_;
  std::string held_;
  std::size_t searched_ = 0;
};

}  // namespace agentrun::proxy
