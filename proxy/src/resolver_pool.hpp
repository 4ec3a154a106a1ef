#pragma once
// Name resolution by a blocking call, on threads of its own.

#include <functional>
#include <memory>
#include <string>

#include "agentrun/proxy/resolver.hpp"

namespace agentrun::proxy {

/// Runs in several threads at once; must not throw.
using BlockingLookup = std::function<Addresses(const std::string& name)>;

/// The system's: hosts file, DNS and whatever else it is configured for. A records only.
[[nodiscard]] Addresses look_up_with_system(const std::string& name);

/// Starts a thread only when all are busy, at most `max_threads`, and lets idle ones go. The same name asked for
/// several times at once is one look-up, so a name that hangs holds one thread, however often it is asked for.
class ResolverPool final : public Resolver {
 public:
  static constexpr std::size_t max_threads = 32;

  explicit ResolverPool(BlockingLookup lookup);
  /// Does not wait for look-ups that hang: their threads end when the system's call returns, their answers are
  /// dropped.
  ~ResolverPool() override;

  void resolve(const std::string& name, Done done) override;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace agentrun::proxy
