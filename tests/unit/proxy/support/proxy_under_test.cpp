#include "support/proxy_under_test.hpp"

#include <cstdlib>
#include <stdexcept>

namespace agentrun::proxy::test {

std::size_t FakeResolver::release(const Addresses& addresses) {
  std::vector<Done> held;
  {
    const std::lock_guard lock(mutex_);
    held.swap(held_);
  }
  for (const Done& done : held) done(addresses);
  return held.size();
}

void FakeResolver::resolve(const std::string& name, Done done) {
  Addresses addresses;
  {
    const std::lock_guard lock(mutex_);
    asked_.push_back(name);
    changed_.notify_all();
    if (hanging_.contains(name)) {
      held_.push_back(std::move(done));
      return;
    }
    if (const auto found = table_.find(name); found != table_.end()) addresses = found->second;
  }
  done(addresses);
}

std::vector<std::string> FakeResolver::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

bool FakeResolver::wait_asked(std::size_t count) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return asked_.size() >= count; });
}

NetworkPolicy allow(const std::vector<std::string>& rules) {
  std::vector<HostRule> parsed;
  for (const std::string& rule : rules) parsed.push_back(parse_host_rule(rule).value());
  return NetworkPolicy::make(NetworkMode::custom, std::move(parsed), {}).value();
}

NetworkPolicy allow_public() { return NetworkPolicy::make(NetworkMode::full, {}, {}).value(); }

namespace {

Options with(Timeouts timeouts) {
  Options options;
  options.timeouts = timeouts;
  return options;
}

}  // namespace

ProxyUnderTest::ProxyUnderTest(NetworkPolicy policy, Timeouts timeouts)
    : ProxyUnderTest(std::move(policy), with(timeouts)) {}

ProxyUnderTest::ProxyUnderTest(NetworkPolicy policy, Options options) {
  options.unix_socket = socket_path();
  options.resolver = resolver_;
  auto started = Proxy::start(std::move(policy), options, [this](const NetworkEvent& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(event.host + ':' + std::to_string(event.port) + ' ' +
                      (event.reason ? std::string(to_string(*event.reason)) : "allowed"));
  });
  if (!started) throw std::runtime_error(describe(started.error()));
  proxy_ = std::move(*started);
}

Peer ProxyUnderTest::tunnel(const std::string& authority) const {
  Peer peer = connect();
  peer.send(connect_request(authority));
  const std::string answer = peer.receive_through("\r\n\r\n");
  if (status_of(answer) != 200) throw std::runtime_error("no tunnel: " + answer);
  return peer;
}

std::string ProxyUnderTest::answer_to(std::string_view request) const {
  Peer peer = connect();
  peer.try_send(request);
  return peer.receive_all().bytes;
}

std::vector<std::string> ProxyUnderTest::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

std::string connect_request(const std::string& authority) {
  return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
}

int status_of(std::string_view answer) {
  if (!answer.starts_with("HTTP/1.1 ") || answer.size() < 12) return 0;
  return std::atoi(std::string(answer.substr(9, 3)).c_str());
}

std::string body_of(std::string_view answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string_view::npos ? std::string() : std::string(answer.substr(end + 4));
}

namespace {

std::size_t count_entries(const char* directory) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator()));
}

}  // namespace

std::size_t open_descriptors() { return count_entries("/proc/self/fd"); }

std::size_t running_threads() { return count_entries("/proc/self/task"); }

}  // namespace agentrun::proxy::test
