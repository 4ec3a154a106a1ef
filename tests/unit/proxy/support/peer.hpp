#pragma once
// One end of a connection, driven step by step by a test. Every wait has a limit.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace agentrun::proxy::test {

enum class Ending { none, orderly, reset, too_late };

struct Received {
  std::string bytes;
  Ending ending = Ending::none;
};

class Peer {
 public:
  explicit Peer(int descriptor) noexcept : descriptor_(descriptor) {}
  Peer(Peer&& other) noexcept;
  Peer& operator=(Peer&& other) noexcept;
  ~Peer() { close(); }

  /// To 127.0.0.1. Throws std::system_error.
  [[nodiscard]] static Peer connect(std::uint16_t port);
  [[nodiscard]] static Peer connect(const std::filesystem::path& unix_socket);

  /// Throws std::system_error when the other side is gone.
  void send(std::string_view bytes);
  void send_byte_by_byte(std::string_view bytes);
  /// False when the other side is gone.
  bool try_send(std::string_view bytes);

  /// Until `count` bytes are there, or the end.
  [[nodiscard]] Received receive(std::size_t count);
  /// Up to and with the first `mark`, one byte at a time so that nothing behind it is taken.
  [[nodiscard]] std::string receive_through(std::string_view mark);
  /// Everything until the other side has ended.
  [[nodiscard]] Received receive_all();
  /// True when nothing arrives and nothing ends for `milliseconds`.
  [[nodiscard]] bool is_quiet(int milliseconds) const;

  void shutdown_sending();
  void close() noexcept;
  void reset() noexcept;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace agentrun::proxy::test
