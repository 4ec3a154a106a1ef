#pragma once
// The upstream proxy's answer to CONNECT, read as its bytes come. Only its status matters, so its fields may look as
// they like: white space behind a name, folded lines.

#include <string>
#include <string_view>
#include <utility>

namespace agentrun::proxy {

class UpstreamAnswer {
 public:
  enum class Progress {
    need_more,
    opened,   ///< 2xx, whatever the fields say about a body
    refused,  ///< another final status
    invalid   ///< no status, or a head over 64 KiB
  };

  /// Takes the next bytes. Interim (1xx) answers are skipped. After anything but need_more, do not call again.
  [[nodiscard]] Progress feed(std::string_view bytes);

  /// After opened or refused.
  [[nodiscard]] int status() const noexcept { return status_; }

  /// After opened: what came behind the head is the tunnel's already.
  [[nodiscard]] std::string take_rest() { return std::move(held_); }

 private:
  std::string held_;
  std::size_t searched_ = 0;
  int status_ = 0;
};

}  // namespace agentrun::proxy
