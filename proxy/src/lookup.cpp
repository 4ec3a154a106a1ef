#include "lookup.hpp"

#include <exception>
#include <utility>

namespace agentrun::proxy {

void Lookup::Awaiter::await_suspend(std::coroutine_handle<> waiting) {
  lookup->waiting_ = waiting;
  // The answer may resume and destroy this awaiter from the mailbox: nothing of it is used behind resolve().
  const Resolver::Done done = [self = lookup, box = mailbox](Addresses addresses) {
    box->post([self, found = std::move(addresses)]() mutable { self->finish(std::move(found)); });
  };
  try {
    resolver.resolve(name, done);
  } catch (const std::exception&) {
    done({});
  }
}

void Lookup::finish(Addresses addresses) {
  const std::coroutine_handle<> waiting = std::exchange(waiting_, nullptr);
  if (!waiting) return;
  addresses_ = std::move(addresses);
  waiting.resume();
}

}  // namespace agentrun::proxy
