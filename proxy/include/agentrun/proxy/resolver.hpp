#pragma once
// The seam between the proxy and name resolution, so that tests need no DNS.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace agentrun::proxy {

/// IPv4 addresses in host byte order, in the order to try; empty when the name has none.
using Addresses = std::vector<std::uint32_t>;

class Resolver {
 public:
  using Done = std::function<void(Addresses)>;
  virtual ~Resolver() = default;
  /// Starts a look-up; `done` is called once, from any thread, maybe before this returns. One slow name must not
  /// delay another.
  virtual void resolve(const std::string& name, Done done) = 0;
};

}  // namespace agentrun::proxy
