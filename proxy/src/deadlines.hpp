#pragma once
// Time limits of one kind. All entries of one list have the same length, so the list is in the order they end, and
// one timer for the first is enough: starting and cancelling cost a few pointers, an idle list has no timer armed.

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>

namespace agentrun::proxy {

using Clock = std::chrono::steady_clock;

class Deadlines {
 public:
  /// At most one limit of any list at a time.
  class Entry : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
   public:
    [[nodiscard]] bool is_limited() const noexcept { return is_linked(); }
    void cancel_deadline() noexcept {
      if (is_linked()) unlink();
    }

   protected:
    Entry() = default;
    virtual ~Entry() = default;

   private:
    friend class Deadlines;
    virtual void on_deadline() = 0;
    Clock::time_point end_;
  };

  Deadlines(boost::asio::io_context& context, std::chrono::milliseconds length);

  /// Anew when it runs already.
  void start(Entry& entry);
  /// At the end: no timer is left.
  void stop() noexcept;

 private:
  void arm();
  void expire();

  boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, boost::asio::io_context::executor_type>
      timer_;
  std::chrono::milliseconds length_;
  bool armed_ = false;
  boost::intrusive::list<Entry, boost::intrusive::constant_time_size<false>> entries_;
};

}  // namespace agentrun::proxy
