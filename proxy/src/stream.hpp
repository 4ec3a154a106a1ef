#pragma once
// One connected (or listening) stream socket on a loop: owned, non-blocking, with readiness to wait for. Reading and
// writing are left to sockets.hpp, so that whoever holds a shared buffer reads only when there is something.

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <coroutine>
#include <utility>

#include "sockets.hpp"

namespace agentrun::proxy {

/// `broken`: an error or a hang-up, without asking for data.
enum class Readiness { readable, writable, broken };

class Stream {
 public:
  /// A closed one.
  explicit Stream(boost::asio::io_context& context) : socket_(context) {}

  /// Takes over `descriptor`, also when it fails (then it is closed). 0 or an errno.
  [[nodiscard]] int adopt(int descriptor, int family) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  [[nodiscard]] IoResult receive(char* buffer, std::size_t size) noexcept {
    return receive_some(descriptor_, buffer, size);
  }
  [[nodiscard]] IoResult send(std::string_view bytes) noexcept { return send_some(descriptor_, bytes); }

  /// Calls `handler(bool ready)` once, from the loop; false: cancelled or closed.
  template <class Handler>
  void when(Readiness readiness, Handler handler) {
    socket_.async_wait(wait_type(readiness), [handler = std::move(handler)](
                                                 const boost::system::error_code& error) mutable { handler(!error); });
  }

  /// co_await stream.ready(…): false when cancelled or closed.
  struct Awaiter {
    Stream& stream;
    Readiness readiness;
    bool is_ready = false;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      stream.when(readiness, [this, waiting](bool ready) {
        is_ready = ready;
        waiting.resume();
      });
    }
    [[nodiscard]] bool await_resume() const noexcept { return is_ready; }
  };
  [[nodiscard]] Awaiter ready(Readiness readiness) noexcept { return {*this, readiness}; }

  void cancel() noexcept;
  void shutdown_sending() noexcept;
  void close() noexcept;
  /// Closes with a reset.
  void reset() noexcept;

 private:
  using Socket =
      boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, boost::asio::io_context::executor_type>;
  static constexpr Socket::wait_type wait_type(Readiness readiness) noexcept {
    switch (readiness) {
      case Readiness::readable:
        return Socket::wait_read;
      case Readiness::writable:
        return Socket::wait_write;
      default:
        return Socket::wait_error;
    }
  }

  Socket socket_;
  int descriptor_ = -1;
};

}  // namespace agentrun::proxy
