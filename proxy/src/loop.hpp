#pragma once
// One io thread: its io_context, its time limits, the buffer that its connections share, and the list of what is
// alive on it, so that stopping can end everything.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/intrusive/list.hpp>
#include <memory>
#include <thread>

#include "agentrun/proxy/proxy.hpp"
#include "deadlines.hpp"
#include "mailbox.hpp"
#include "pipe_pool.hpp"
#include "reactor.hpp"

namespace agentrun::proxy {

class Loop {
 public:
  /// Something that runs on the loop until it ends by itself or is told to.
  class Activity : public boost::intrusive::list_base_hook<boost::intrusive::tag<Activity>,
                                                           boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
   protected:
    Activity() = default;
    virtual ~Activity() = default;

   private:
    friend class Loop;
    /// Gives up every wait; when those have come back, nothing of it may be left.
    virtual void abandon() = 0;
  };

  struct Limits {
    Deadlines head;
    Deadlines connect;
    Deadlines half_close;
    Deadlines upstream_answer;
    Deadlines linger;        ///< after an error answer, until the client has closed
    Deadlines accept_pause;  ///< until a listener that ran out of descriptors tries again
  };

  explicit Loop(const Timeouts& timeouts);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() { stop(); }

  /// Starts the thread. It takes no signals: those are for the caller's threads.
  void start();
  /// From another thread. Abandons every activity and joins.
  void stop() noexcept;

  [[nodiscard]] boost::asio::io_context& context() noexcept { return context_; }
  [[nodiscard]] Reactor& reactor() noexcept { return reactor_; }
  [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const noexcept { return mailbox_; }
  [[nodiscard]] Limits& limits() noexcept { return limits_; }

  [[nodiscard]] PipePool& pipes() noexcept { return pipes_; }

  void add(Activity& activity) { activities_.push_back(activity); }

  /// For one read that is used up before the next wait.
  static constexpr std::size_t scratch_size = 65536;
  [[nodiscard]] char* scratch() noexcept { return scratch_.get(); }

 private:
  using Activities = boost::intrusive::list<
      Activity,
      boost::intrusive::base_hook<boost::intrusive::list_base_hook<
          boost::intrusive::tag<Activity>, boost::intrusive::link_mode<boost::intrusive::auto_unlink>>>,
      boost::intrusive::constant_time_size<false>>;
  void serve() noexcept;
  void turn();
  void abandon_all();

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::shared_ptr<Mailbox> mailbox_;
  Limits limits_;
  std::unique_ptr<char[]> scratch_;
  PipePool pipes_;
  Activities activities_;
  Reactor reactor_;
  std::thread thread_;
};

}  // namespace agentrun::proxy
