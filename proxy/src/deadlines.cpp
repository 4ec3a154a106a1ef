#include "deadlines.hpp"

namespace agentrun::proxy {

Deadlines::Deadlines(boost::asio::io_context& context, std::chrono::milliseconds length)
    : timer_(context), length_(length) {}

void Deadlines::start(Entry& entry) {
  entry.cancel_deadline();
  entry.end_ = Clock::now() + length_;
  entries_.push_back(entry);
  if (!armed_) arm();
}

void Deadlines::stop() noexcept {
  entries_.clear();
  try {
    timer_.cancel();
  } catch (const boost::system::system_error&) {
  }
}

// A cancelled first entry leaves the timer as it is: it fires early and looks again. So it is set once a length, not
// once a connection.
void Deadlines::arm() {
  armed_ = true;
  timer_.expires_at(entries_.front().end_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    armed_ = false;
    if (!error) expire();
  });
}

void Deadlines::expire() {
  const Clock::time_point now = Clock::now();
  while (!entries_.empty() && entries_.front().end_ <= now) {
    Entry& entry = entries_.front();
    entries_.pop_front();
    entry.on_deadline();
  }
  if (!entries_.empty() && !armed_) arm();
}

}  // namespace agentrun::proxy
