#pragma once
// The server name in the first message of a TLS connection (RFC 8446, 4.1.2; RFC 6066, 3). It is read, TLS is not
// opened. Strict: two readers must not find two names in one hello.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace agentrun::proxy {

/// Read as its bytes come, whatever records and pieces they come in.
class ClientHelloReader {
 public:
  enum class Progress {
    need_more,
    not_tls,  ///< the first byte begins no TLS record
    hello,
    broken  ///< begins as TLS, but with no client hello that has at most one name and at most max_size bytes
  };
  static constexpr std::size_t max_size = 16384;

  /// Takes the next bytes. After anything but need_more, do not call again.
  [[nodiscard]] Progress feed(std::string_view bytes);

  /// After hello: as it was sent; nothing when there is none.
  [[nodiscard]] const std::optional<std::string>& name() const noexcept { return name_; }

 private:
  [[nodiscard]] Progress examine();

  std::string header_;
  std::string message_;          ///< the handshake message as far as it has come, without record headers
  std::size_t record_left_ = 0;  ///< bytes of the current record still to come
  std::optional<std::string> name_;
};

/// The body of a client hello message. False: malformed. `name` stays as it is when there is none.
[[nodiscard]] bool parse_client_hello(std::string_view body, std::optional<std::string>& name);

}  // namespace agentrun::proxy
