#pragma once
// Dates events and puts them into a stream's queue.

#include "agentrun/event.hpp"
#include "agentrun/host/frontend.hpp"
#include "process/output_queue.hpp"

namespace agentrun::host {

class EventStream {
 public:
  /// Both outlive the stream.
  EventStream(EventFormatter& formatter, OutputQueue& queue) noexcept : formatter_(formatter), queue_(queue) {}

  void emit(EventBody body) {
    formatter_.format(Event{std::chrono::system_clock::now(), std::move(body)}, queue_.buffer());
  }

 private:
  EventFormatter& formatter_;
  OutputQueue& queue_;
};

}  // namespace agentrun::host
