#pragma once
// A running proxy with its events and a resolver that answers from a table.

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agentrun/proxy/proxy.hpp"
#include "support/origin.hpp"
#include "support/peer.hpp"
#include "temp_dir.hpp"

namespace agentrun::proxy::test {

constexpr std::uint32_t loopback = 0x7F000001;

class FakeResolver final : public Resolver {
 public:
  void add(const std::string& name, Addresses addresses) { table_[name] = std::move(addresses); }
  /// Never answered, until release().
  void let_hang(const std::string& name) { hanging_.insert(name); }
  /// Answers what hangs; returns how many.
  std::size_t release(const Addresses& addresses);

  void resolve(const std::string& name, Done done) override;
  [[nodiscard]] std::vector<std::string> asked() const;
  /// Waits until `count` names were asked for.
  [[nodiscard]] bool wait_asked(std::size_t count) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, Addresses> table_;
  std::set<std::string> hanging_;
  std::vector<Done> held_;
  std::vector<std::string> asked_;
};

[[nodiscard]] NetworkPolicy allow(const std::vector<std::string>& rules);
[[nodiscard]] NetworkPolicy allow_public();

class ProxyUnderTest {
 public:
  explicit ProxyUnderTest(NetworkPolicy policy, Timeouts timeouts = {});
  /// Socket and resolver are set here.
  ProxyUnderTest(NetworkPolicy policy, Options options);

  /// Over TCP.
  [[nodiscard]] Peer connect() const { return Peer::connect(proxy_->port()); }
  [[nodiscard]] Peer connect_unix() const { return Peer::connect(socket_path()); }
  [[nodiscard]] std::filesystem::path socket_path() const { return directory_.path() / "proxy.sock"; }
  /// A tunnel that stands, to `authority`.
  [[nodiscard]] Peer tunnel(const std::string& authority) const;
  /// Everything that comes back for `request`.
  [[nodiscard]] std::string answer_to(std::string_view request) const;

  /// "host:port allowed" or "host:port REASON", in order.
  [[nodiscard]] std::vector<std::string> events() const;

  [[nodiscard]] FakeResolver& resolver() noexcept { return *resolver_; }
  [[nodiscard]] Proxy& proxy() const noexcept { return *proxy_; }

 private:
  testing::TempDir directory_;
  std::shared_ptr<FakeResolver> resolver_ = std::make_shared<FakeResolver>();
  mutable std::mutex mutex_;
  std::vector<std::string> events_;
  std::unique_ptr<Proxy> proxy_;  ///< last: its threads use the others
};

[[nodiscard]] std::string connect_request(const std::string& authority);

/// The number in an HTTP answer's first line; 0 when there is none.
[[nodiscard]] int status_of(std::string_view answer);
/// What stands behind the blank line.
[[nodiscard]] std::string body_of(std::string_view answer);

/// Asks until it holds or 20 s are over.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

[[nodiscard]] std::size_t open_descriptors();
[[nodiscard]] std::size_t running_threads();

}  // namespace agentrun::proxy::test
