#pragma once
// Waiting on a loop for a resolver that answers from any thread, maybe never.

#include <coroutine>
#include <memory>
#include <string>

#include "agentrun/proxy/resolver.hpp"
#include "mailbox.hpp"

namespace agentrun::proxy {

/// One name's look-up, shared with the resolver's callback.
class Lookup : public std::enable_shared_from_this<Lookup> {
 public:
  /// co_await lookup->start(…): the addresses; none when it was cancelled.
  struct Awaiter {
    std::shared_ptr<Lookup> lookup;
    Resolver& resolver;
    const std::string& name;
    std::shared_ptr<Mailbox> mailbox;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting);
    [[nodiscard]] Addresses await_resume() { return std::move(lookup->addresses_); }
  };
  [[nodiscard]] Awaiter start(Resolver& resolver, const std::string& name, std::shared_ptr<Mailbox> mailbox) {
    return {shared_from_this(), resolver, name, std::move(mailbox)};
  }

  /// On the loop's thread. A later answer is dropped.
  void cancel() { finish({}); }

 private:
  void finish(Addresses addresses);

  std::coroutine_handle<> waiting_;
  Addresses addresses_;
};

}  // namespace agentrun::proxy
