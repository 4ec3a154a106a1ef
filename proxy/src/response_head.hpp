#pragma once
// The head of an origin's answer to a plain HTTP request: found, checked and rewritten as its bytes come. More
// lenient than requests are: what is passed on is written anew, and one connection carries one answer.

#include <string>
#include <string_view>

#include "answers.hpp"
#include "flow_filter.hpp"

namespace agentrun::proxy {

/// Invalid: no status, a head over 64 KiB, or bytes that no head may hold. Refused: the upstream proxy wants other
/// credentials, which the client could not give.
class ResponseHeadFilter final : public FlowFilter {
 public:
  explicit ResponseHeadFilter(Hop hop) noexcept : hop_(hop) {}

  /// Lets through interim (1xx) heads, then the final one, each without hop-by-hop and Proxy-* fields, the final one
  /// with "Connection: close".
  [[nodiscard]] Progress feed(std::string_view bytes, std::string& out) override;
  /// Still needs more: there was no answer.
  [[nodiscard]] Progress end(std::string&) override { return Progress::need_more; }

 private:
  Hop hop_;
  std::string held_;
  std::size_t searched_ = 0;
};

}  // namespace agentrun::proxy
