#pragma once
// A tunnel's first bytes from the client, held until they have named the host that was judged (domain fronting: the
// rules see one name, the server behind a shared address another).

#include <memory>
#include <string>

#include "agentrun/proxy/proxy.hpp"
#include "client_hello.hpp"
#include "flow_filter.hpp"
#include "network_log.hpp"
#include "target.hpp"

namespace agentrun::proxy {

/// `name` is what a client hello to `host` names, nothing when it names none. An address cannot be named (RFC 6066, 3),
/// so a hello to one must not.
[[nodiscard]] bool may_pass(SniCheck check, const HostName& host, const std::optional<std::string>& name);

class SniFilter final : public FlowFilter {
 public:
  /// Tells `log`, which must outlive it, when it refuses.
  SniFilter(SniCheck check, Target target, NetworkLog& log) : check_(check), target_(std::move(target)), log_(log) {}

  [[nodiscard]] Progress feed(std::string_view bytes, std::string& out) override;
  [[nodiscard]] Progress end(std::string& out) override;
  /// A TLS alert where the client speaks TLS.
  [[nodiscard]] std::string_view last_words() const noexcept override { return last_words_; }

 private:
  [[nodiscard]] Progress pass(std::string& out);
  [[nodiscard]] Progress refuse(std::string_view last_words);

  SniCheck check_;
  Target target_;
  NetworkLog& log_;
  ClientHelloReader reader_;
  std::string held_;
  std::string_view last_words_;
};

}  // namespace agentrun::proxy
