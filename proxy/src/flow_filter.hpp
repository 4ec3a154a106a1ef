#pragma once
// What looks at the beginning of a flow, until it is satisfied.

#include <string>
#include <string_view>

namespace agentrun::proxy {

class FlowFilter {
 public:
  enum class Progress {
    need_more,
    passed,   ///< from now on bytes go through as they are
    invalid,  ///< not what it should be
    refused   ///< what it should be, and not to be let through
  };

  FlowFilter() = default;
  FlowFilter(const FlowFilter&) = delete;
  FlowFilter& operator=(const FlowFilter&) = delete;
  virtual ~FlowFilter() = default;

  /// Takes the next bytes and appends to `out` what may go on. After anything but need_more, do not call again.
  [[nodiscard]] virtual Progress feed(std::string_view bytes, std::string& out) = 0;

  /// The bytes have ended while it needed more.
  [[nodiscard]] virtual Progress end(std::string& out) = 0;

  /// After refused: for whoever sent the bytes.
  [[nodiscard]] virtual std::string_view last_words() const noexcept { return {}; }
};

}  // namespace agentrun::proxy
