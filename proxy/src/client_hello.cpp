#include "client_hello.hpp"

#include <algorithm>
#include <cstdint>

namespace agentrun::proxy {
namespace {

// change_cipher_spec to heartbeat. A server may skip records that come before the hello, so what begins with any of
// them is TLS, and only a handshake record is taken.
constexpr char first_content_type = 20;
constexpr char last_content_type = 24;
constexpr char content_handshake = 22;

constexpr std::size_t record_header_size = 5;
constexpr std::size_t max_record = 16384;
constexpr std::size_t message_header_size = 4;
constexpr char message_client_hello = 1;
constexpr std::size_t extension_server_name = 0;
constexpr std::size_t name_type_host = 0;

std::size_t number_at(std::string_view bytes, std::size_t at, std::size_t size) noexcept {
  std::size_t value = 0;
  for (std::size_t i = at; i < at + size; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

/// Takes fields off the front. After one that does not fit, everything is empty and has_failed() true.
class Fields {
 public:
  explicit Fields(std::string_view bytes) noexcept : left_(bytes) {}

  std::string_view bytes(std::size_t size) noexcept {
    if (size > left_.size()) {
      has_failed_ = true;
      left_ = {};
      return {};
    }
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }

  std::size_t number(std::size_t size) noexcept {
    const std::string_view taken = bytes(size);
    return number_at(taken, 0, taken.size());
  }

  /// With its length, of `size` bytes, in front.
  std::string_view vector(std::size_t size) noexcept { return bytes(number(size)); }

  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }
  [[nodiscard]] bool is_empty() const noexcept { return left_.empty(); }

 private:
  std::string_view left_;
  bool has_failed_ = false;
};

/// Exactly one host name: servers differ in which of several they take.
std::optional<std::string_view> parse_server_name(std::string_view extension) noexcept {
  Fields outer(extension);
  Fields list(outer.vector(2));
  const std::size_t type = list.number(1);
  const std::string_view name = list.vector(2);
  if (outer.has_failed() || !outer.is_empty() || list.has_failed() || !list.is_empty()) return std::nullopt;
  if (type != name_type_host || name.empty()) return std::nullopt;
  return name;
}

}  // namespace

bool parse_client_hello(std::string_view body, std::optional<std::string>& name) {
  Fields hello(body);
  (void)hello.bytes(2 + 32);  // version and random
  (void)hello.vector(1);      // session id
  (void)hello.vector(2);      // cipher suites
  (void)hello.vector(1);      // compression methods
  if (hello.has_failed()) return false;
  if (hello.is_empty()) return true;

  Fields extensions(hello.vector(2));
  if (hello.has_failed() || !hello.is_empty()) return false;
  while (!extensions.is_empty()) {
    const std::size_t type = extensions.number(2);
    const std::string_view content = extensions.vector(2);
    if (extensions.has_failed()) return false;
    if (type != extension_server_name) continue;
    const auto found = parse_server_name(content);
    if (!found || name) return false;
    name = *found;
  }
  return true;
}

ClientHelloReader::Progress ClientHelloReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (record_left_ == 0) {
      const std::size_t size = std::min(bytes.size(), record_header_size - header_.size());
      header_.append(bytes.substr(0, size));
      bytes.remove_prefix(size);
      if (message_.empty() && (header_[0] < first_content_type || header_[0] > last_content_type))
        return Progress::not_tls;
      if (header_[0] != content_handshake) return Progress::broken;
      if (header_.size() < record_header_size) return Progress::need_more;
      record_left_ = number_at(header_, 3, 2);
      header_.clear();
      if (record_left_ == 0 || record_left_ > max_record) return Progress::broken;
    }
    const std::size_t size = std::min(bytes.size(), record_left_);
    message_.append(bytes.substr(0, size));
    bytes.remove_prefix(size);
    record_left_ -= size;
    if (const Progress progress = examine(); progress != Progress::need_more) return progress;
  }
  return Progress::need_more;
}

ClientHelloReader::Progress ClientHelloReader::examine() {
  if (message_.empty()) return Progress::need_more;
  if (message_[0] != message_client_hello) return Progress::broken;
  if (message_.size() < message_header_size) return Progress::need_more;
  const std::size_t size = message_header_size + number_at(message_, 1, 3);
  if (size > max_size) return Progress::broken;
  if (message_.size() < size) return Progress::need_more;
  // More in its last record would be a second message before the answer to the first.
  if (message_.size() > size || record_left_ > 0) return Progress::broken;
  return parse_client_hello(std::string_view(message_).substr(message_header_size), name_) ? Progress::hello
                                                                                           : Progress::broken;
}

}  // namespace agentrun::proxy
