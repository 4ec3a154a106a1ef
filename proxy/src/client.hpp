#pragma once
// One client from its first byte until it is refused or its relay begins.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "answers.hpp"
#include "descriptor.hpp"
#include "dial.hpp"
#include "judgement.hpp"
#include "lookup.hpp"
#include "loop.hpp"
#include "relay.hpp"
#include "socks.hpp"
#include "stream.hpp"
#include "task.hpp"

namespace agentrun::proxy {

class Client final : private Loop::Activity, private Deadlines::Entry {
 public:
  /// On the loop's thread. `court` must outlive that.
  static void start(Loop& loop, Court& court, Descriptor connection, int family);

  Client(Loop& loop, Court& court, Stream stream);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { cancel_deadline(); }

 private:
  /// How a step that waits has gone on.
  enum class Arrival { bytes, ended, timed_out, gone };

  static Detached serve(std::unique_ptr<Client> self);

  // Each gives the last words to the client; empty: none, or the relay has taken over.
  Task<std::string> serve_http();
  Task<std::string> serve_socks();

  /// Waits for more bytes, which bytes() then shows behind those it had.
  Task<Arrival> more();
  /// Everything received and not consumed. The view ends with the next wait.
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
  void consume(std::size_t count) noexcept { bytes_.remove_prefix(count); }

  /// `upstream` is on the way to the target, if not null. Events are told before this returns.
  Task<Verdict> judge(const Target& target, const UpstreamServer* upstream);
  Task<Addresses> resolve(const HostName& host);

  /// Why an allowed target was not reached, in the words of both protocols.
  struct Failure {
    std::string cause;
    SocksReply reply = SocksReply::general_failure;
  };
  // Nothing: dialer_ is connected.
  Task<std::optional<Failure>> connect(const Target& target, const Addresses& addresses);
  Task<std::optional<Failure>> connect(const UpstreamServer& upstream);
  /// As far as a tunnel goes: to the target, directly or through `upstream`. Appends to `early` what has already come
  /// back through it.
  Task<std::optional<Failure>> open_tunnel(const Target& target, const Addresses& addresses,
                                           const UpstreamServer* upstream, std::string& early);

  /// `early` is what the client has already sent into the tunnel. The client's last words, as serve_http() gives them.
  std::string relay_tunnel(Target target, std::string to_client, std::string early);
  void relay(RelayTerms terms) { start_relay(loop_, std::move(stream_), dialer_.take(), std::move(terms)); }

  void abandon() override;
  void on_deadline() override;

  Loop& loop_;
  Court& court_;
  Stream stream_;
  Dialer dialer_;
  std::shared_ptr<Lookup> lookup_;
  std::string held_;
  std::string_view bytes_;  ///< into held_ or the loop's scratch buffer
  bool is_abandoned_ = false;
  bool is_late_ = false;
};

}  // namespace agentrun::proxy
