#include "reactor.hpp"

#include <cerrno>
#include <exception>
#include <utility>

namespace agentrun::proxy {

void Reactor::Source::when(Readiness readiness, std::unique_ptr<Waiter> waiter) noexcept {
  if (is_ready(readiness)) {
    reactor_->ready_.push(std::move(waiter));
  } else {
    waiting_[static_cast<std::size_t>(readiness)] = std::move(waiter);
  }
}

void Reactor::Source::cancel() noexcept {
  for (auto& waiter : waiting_) {
    if (waiter) reactor_->cancelled_.push(std::move(waiter));
  }
}

bool Reactor::Source::is_ready(Readiness readiness) const noexcept {
  switch (readiness) {
    case Readiness::readable:
      return is_readable_;
    case Readiness::writable:
      return is_writable_;
    default:
      return is_broken_;
  }
}

Reactor::Reactor(boost::asio::io_context& context) : queue_(context, make_queue()) { wait(); }

Reactor::Source* Reactor::watch(int descriptor) {
  Source* source = free_;
  if (source != nullptr) {
    free_ = source->next_free_;
  } else {
    source = &sources_.emplace_back();
    source->reactor_ = this;
    source->index_ = static_cast<std::uint32_t>(sources_.size() - 1);
  }
  const Name name = Name{source->index_} << 32 | source->generation_;
  if (const int error = enroll(queue_.native_handle(), descriptor, name); error != 0) {
    forget(*source);
    errno = error;
    return nullptr;
  }
  return source;
}

void Reactor::forget(Source& source) noexcept {
  source.cancel();
  source.is_readable_ = source.is_writable_ = source.has_ended_ = source.is_broken_ = false;
  ++source.generation_;
  source.next_free_ = std::exchange(free_, &source);
}

bool Reactor::run_due() {
  // Only these: a waiter that is ready again at once must not keep the others from their turn.
  WaiterQueue ready = std::exchange(ready_, {});
  WaiterQueue cancelled = std::exchange(cancelled_, {});
  while (auto waiter = cancelled.pop()) run(std::move(waiter), false);
  while (auto waiter = ready.pop()) run(std::move(waiter), true);
  return !ready_.is_empty() || !cancelled_.is_empty();
}

void Reactor::stop() noexcept {
  has_stopped_ = true;
  boost::system::error_code ignored;
  queue_.cancel(ignored);
}

void Reactor::wait() {
  // A report that Asio has already taken up when stop() is called comes all the same, and would keep the loop from its
  // end.
  if (has_stopped_) return;
  queue_.async_wait(Queue::wait_read, [this](const boost::system::error_code& error) {
    if (!error) dispatch();
  });
}

void Reactor::report(Name name, const Report& report) {
  Source& source = sources_[name >> 32];
  if (source.generation_ != static_cast<std::uint32_t>(name)) return;
  source.is_readable_ |= report.readable || report.broken;
  source.is_writable_ |= report.writable || report.broken;
  source.has_ended_ |= report.ended || report.broken;
  source.is_broken_ |= report.broken;
  for (const Readiness readiness : {Readiness::broken, Readiness::writable, Readiness::readable}) {
    // A waiter that runs may forget the socket, and another may have its place.
    if (source.generation_ != static_cast<std::uint32_t>(name)) return;
    auto& waiter = source.waiting_[static_cast<std::size_t>(readiness)];
    if (waiter && source.is_ready(readiness)) run(std::move(waiter), true);
  }
}

void Reactor::run(std::unique_ptr<Waiter> waiter, bool ready) noexcept {
  try {
    waiter->run(ready);
  } catch (const std::exception&) {
    // Out of memory: what waited is gone and has closed its sockets. The rest of the batch must not go with it, for the
    // system reports every edge once.
  }
}

}  // namespace agentrun::proxy
