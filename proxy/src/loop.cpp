#include "loop.hpp"

#include "quiet_thread.hpp"

namespace agentrun::proxy {
namespace {

constexpr std::chrono::seconds linger_time{2};
constexpr std::chrono::milliseconds accept_pause{100};

}  // namespace

// Only the loop's own thread touches its sockets, so the reactor needs no locks; posting stays safe.
Loop::Loop(const Timeouts& timeouts)
    : context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      work_(context_.get_executor()),
      mailbox_(std::make_shared<Mailbox>(context_)),
      limits_{Deadlines(context_, timeouts.head),       Deadlines(context_, timeouts.connect),
              Deadlines(context_, timeouts.half_close), Deadlines(context_, timeouts.upstream_answer),
              Deadlines(context_, linger_time),         Deadlines(context_, accept_pause)},
      scratch_(new char[scratch_size]),
      reactor_(context_) {}

void Loop::start() {
  thread_ = start_quiet_thread([this] { serve(); });
}

void Loop::serve() noexcept {
  for (;;) {
    try {
      turn();
      return;
    } catch (const std::exception&) {
      // Out of memory in one handler: its objects are gone and have closed their sockets; the others go on.
    }
  }
}

void Loop::turn() {
  for (;;) {
    const bool is_more_due = reactor_.run_due();
    const std::size_t ran = is_more_due ? context_.poll_one() : context_.run_one();
    if (ran == 0 && !is_more_due) return;
    // It stops when it runs out of work; what is due may make more.
    if (context_.stopped()) context_.restart();
  }
}

void Loop::stop() noexcept {
  if (!thread_.joinable()) return;
  mailbox_->post([this] { abandon_all(); });
  mailbox_->close();
  thread_.join();
}

void Loop::abandon_all() {
  while (!activities_.empty()) {
    Activity& activity = activities_.front();
    activities_.pop_front();
    activity.abandon();
  }
  for (Deadlines* deadlines : {&limits_.head, &limits_.connect, &limits_.half_close, &limits_.upstream_answer,
                               &limits_.linger, &limits_.accept_pause})
    deadlines->stop();
  reactor_.stop();
  work_.reset();
}

}  // namespace agentrun::proxy
