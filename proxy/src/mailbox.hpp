#pragma once
// How other threads reach a loop that may already be gone: a resolver's answer can come at any time.

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <mutex>
#include <utility>

namespace agentrun::proxy {

class Mailbox {
 public:
  explicit Mailbox(boost::asio::io_context& context) : context_(&context) {}

  /// Runs `work` on the loop's thread; drops it when the loop has ended.
  template <class Work>
  void post(Work work) {
    const std::lock_guard lock(mutex_);
    if (context_ != nullptr) boost::asio::post(*context_, std::move(work));
  }

  void close() noexcept {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }

 private:
  std::mutex mutex_;
  boost::asio::io_context* context_;
};

}  // namespace agentrun::proxy
