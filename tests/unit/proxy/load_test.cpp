// Numbers that a long run with many programs reaches.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

/// Of as many as the system lets this process have.
rlim_t raise_descriptor_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

/// Another process, for the ends of the tunnels that are not the proxy's: each has descriptors of its own. It runs
/// `body` with a socket to this one, and is killed when this goes out of scope.
class Helper {
 public:
  template <class Body>
  explicit Helper(Body body) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      Peer parent(ends[1]);
      try {
        body(parent);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    line_.emplace(ends[0]);
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() { stop(); }

  [[nodiscard]] Peer& line() { return *line_; }
  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }

 private:
  pid_t pid_ = -1;
  std::optional<Peer> line_;
};

void echo_for_ever(Origin& origin, std::size_t tunnels) {
  raise_descriptor_limit();
  std::vector<Peer> upstreams;
  std::vector<pollfd> watched;
  while (upstreams.size() < tunnels) {
    upstreams.push_back(origin.accept());
    watched.push_back({upstreams.back().descriptor(), POLLIN, 0});
  }
  for (;;) {
    ::poll(watched.data(), watched.size(), -1);
    for (std::size_t i = 0; i < tunnels; ++i) {
      if (watched[i].revents == 0) continue;
      const std::string bytes = upstreams[i].receive(4).bytes;
      if (bytes.empty()) {
        upstreams[i].close();
        watched[i].fd = -1;
      } else {
        upstreams[i].send(bytes);
      }
    }
  }
}

/// Says "opened" when all stand, tries some of them at each word it is told, and says whether they work.
void hold_tunnels(Peer& parent, const std::string& authority, std::size_t tunnels) {
  raise_descriptor_limit();
  const std::string path = parent.receive_through("\n");
  std::vector<Peer> clients;
  for (std::size_t i = 0; i < tunnels; ++i) {
    clients.push_back(Peer::connect(std::filesystem::path(path.substr(0, path.size() - 1))));
    clients.back().send(connect_request(authority));
    if (status_of(clients.back().receive_through("\r\n\r\n")) != 200) throw std::runtime_error("a tunnel failed");
  }
  parent.send("opened\n");
  (void)parent.receive_through("\n");
  bool all_work = true;
  for (std::size_t i = 0; i < tunnels; i += 97) {
    clients[i].send("echo");
    all_work = all_work && clients[i].receive(4).bytes == "echo";
  }
  parent.send(all_work ? "work\n" : "fail\n");
  (void)parent.receive_through("\n");
}

/// In KiB.
long own_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stol(line.substr(8));
  }
  return -1;
}

/// Two descriptors each in the proxy; 20,000 in all is what some systems give.
TEST(Load, ThousandsOfIdleTunnelsStandAndTheirDescriptorsComeBack) {
  const std::size_t tunnels = (std::min<std::size_t>(raise_descriptor_limit(), 20'000) - 200) / 2;
  Origin origin(4096);
  Helper upstreams([&](Peer&) { echo_for_ever(origin, tunnels); });
  Helper clients([&](Peer& parent) { hold_tunnels(parent, origin.authority(), tunnels); });
  const ProxyUnderTest proxy(allow({origin.authority()}));
  const std::size_t base = open_descriptors();
  clients.line().send(proxy.socket_path().native() + '\n');
  ASSERT_EQ(clients.line().receive_through("\n"), "opened\n");
  EXPECT_GE(open_descriptors(), base + 2 * tunnels);
  clients.line().send("try\n");
  EXPECT_EQ(clients.line().receive_through("\n"), "work\n");
  clients.stop();
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= base; })) << open_descriptors() << " open, base " << base;
}

void come_and_go(const ProxyUnderTest& proxy, Origin& origin, int count) {
  for (int i = 0; i < count; ++i) {
    Peer client = i % 2 == 0 ? proxy.connect() : proxy.connect_unix();
    client.send(connect_request(origin.authority()));
    Peer upstream = origin.accept();
    ASSERT_EQ(status_of(client.receive_through("\r\n\r\n")), 200) << "connection " << i;
    // Without a port that then waits for a minute.
    if (i % 2 == 0) client.reset();
    upstream.reset();
  }
}

TEST(Load, AHundredThousandConnectionsNeedsNoMoreMemory) {
  Origin origin(4096);
  const ProxyUnderTest proxy(allow({origin.authority()}));
  come_and_go(proxy, origin, 2'000);
  const std::size_t descriptors = open_descriptors();
  const long memory = own_memory();
  ASSERT_GT(memory, 0);
  come_and_go(proxy, origin, 100'000);
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= descriptors; })) << open_descriptors();
  constexpr long leeway = 512;
  EXPECT_LE(own_memory(), memory + leeway) << "KiB";
}

}  // namespace
}  // namespace agentrun::proxy::test
