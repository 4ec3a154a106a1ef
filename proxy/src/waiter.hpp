#pragma once
// What runs when a socket can go on. One allocation a wait, made when the wait begins: giving up a wait must not fail.

#include <boost/intrusive/slist.hpp>
#include <memory>
#include <utility>

namespace agentrun::proxy {

class Waiter : public boost::intrusive::slist_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  virtual ~Waiter() = default;

  /// Once. False: the wait was given up.
  virtual void run(bool ready) = 0;
};

template <class Handler>
std::unique_ptr<Waiter> make_waiter(Handler handler) {
  class Holder final : public Waiter {
   public:
    explicit Holder(Handler held) : handler_(std::move(held)) {}
    void run(bool ready) override { handler_(ready); }

   private:
    Handler handler_;
  };
  return std::make_unique<Holder>(std::move(handler));
}

/// In the order in which they came. Moving one from a slot to a queue takes no memory.
class WaiterQueue {
 public:
  WaiterQueue() = default;
  WaiterQueue(WaiterQueue&& other) noexcept { waiters_.swap(other.waiters_); }
  WaiterQueue& operator=(WaiterQueue&& other) noexcept {
    waiters_.swap(other.waiters_);
    return *this;
  }
  ~WaiterQueue() {
    while (pop()) continue;
  }

  [[nodiscard]] bool is_empty() const noexcept { return waiters_.empty(); }
  void push(std::unique_ptr<Waiter> waiter) noexcept { waiters_.push_back(*waiter.release()); }

  /// Null when there is none.
  [[nodiscard]] std::unique_ptr<Waiter> pop() noexcept {
    if (waiters_.empty()) return nullptr;
    std::unique_ptr<Waiter> first(&waiters_.front());
    waiters_.pop_front();
    return first;
  }

 private:
  boost::intrusive::slist<Waiter, boost::intrusive::cache_last<true>, boost::intrusive::constant_time_size<false>>
      waiters_;
};

}  // namespace agentrun::proxy
