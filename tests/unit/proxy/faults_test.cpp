// Clients that go at the worst moment: nothing of them stays, and the others do not notice.

#include <gtest/gtest.h>

#include "support/client_hello.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;

/// A proxy with everything that can be waited for: a name that hangs, a host that does not answer, an upstream proxy
/// that owes its answer.
class Leaving : public ::testing::Test {
 protected:
  Leaving() : proxy_(policy(), options()) {
    proxy_.resolver().add("site.test", {loopback});
    proxy_.resolver().let_hang("hang.test");
    fill_.push_back(Peer::connect(silent_.port()));
    // What the first connection leaves for good: the descriptor of the owner check.
    (void)proxy_.answer_to(connect_request("other.test:1"));
    EXPECT_TRUE(eventually([&] {
      const std::size_t now = open_descriptors();
      return std::exchange(base_, now) == now;
    }));
  }

  [[nodiscard]] NetworkPolicy policy() const {
    return allow({origin_.authority("site.test"), silent_.authority(), "hang.test:80", "far.test"});
  }

  [[nodiscard]] Options options() const {
    Environment environment;
    environment.set("https_proxy", upstream_.authority());
    environment.set("no_proxy", "site.test,hang.test,127.0.0.1");
    Options options;
    options.upstream = read_upstream(environment).upstream;
    options.check_sni = SniCheck::lenient;
    options.timeouts.connect = std::chrono::milliseconds(300);
    options.timeouts.upstream_answer = std::chrono::milliseconds(300);
    return options;
  }

  /// Clients send `bytes` and go: half of them with a reset, half in order.
  void leave_after(const std::string& bytes) {
    for (int i = 0; i < 20; ++i) {
      Peer client = i % 4 < 2 ? proxy_.connect() : proxy_.connect_unix();
      client.try_send(bytes);
      if (i % 2 == 0) client.reset();
    }
  }

  /// While the other sides go on as they do: the origin and the upstream proxy read to the end, names have no address.
  /// Not every client is seen: the owner check refuses one that has gone before.
  void expect_nothing_left() {
    // Clients are taken in turn: behind these answers all that left have been.
    for (const bool over_tcp : {true, false}) {
      Peer other = over_tcp ? proxy_.connect() : proxy_.connect_unix();
      other.send(connect_request("other.test:1"));
      EXPECT_EQ(status_of(other.receive_all().bytes), 403) << "others go on";
    }
    EXPECT_TRUE(eventually([&] {
      if (!origin_.is_quiet(0)) (void)origin_.accept().receive_all();
      if (!upstream_.is_quiet(0)) held_.push_back(upstream_.accept());
      (void)proxy_.resolver().release({});
      return open_descriptors() <= base_ + held_.size();
    })) << open_descriptors()
        << " open, before " << base_ << " and " << held_.size();
  }

  Origin origin_;
  Origin silent_{0};  ///< its backlog is full: connecting takes for ever
  Origin upstream_;
  ProxyUnderTest proxy_;
  std::vector<Peer> fill_;
  std::vector<Peer> held_;  ///< by the upstream proxy, which does not answer
  std::size_t base_ = 0;
};

TEST_F(Leaving, BeforeAByte) {
  leave_after("");
  expect_nothing_left();
}

TEST_F(Leaving, InTheMiddleOfAHead) {
  leave_after("CONNECT site.te");
  leave_after("GET http://site.test/ HTTP/1.1\r\nHost: si");
  expect_nothing_left();
}

TEST_F(Leaving, InTheMiddleOfASocksRequest) {
  leave_after("\x05"s);
  leave_after("\x05\x01\x00"s);
  leave_after("\x05\x01\x00\x05\x01\x00\x03\x09site"s);
  expect_nothing_left();
}

TEST_F(Leaving, BehindAMalformedOrRefusedRequest) {
  leave_after("nonsense\n");
  leave_after(connect_request("other.test:443"));
  leave_after("\x05\x01\x00\x05\x01\x00\x03\x01x\x00\x50"s);
  expect_nothing_left();
}

TEST_F(Leaving, WhileTheNameIsLookedUp) {
  leave_after(connect_request("hang.test:80"));
  leave_after("GET http://hang.test/ HTTP/1.0\r\n\r\n");
  expect_nothing_left();
}

TEST_F(Leaving, WhileTheHostDoesNotAnswer) {
  leave_after(connect_request(silent_.authority()));
  expect_nothing_left();
}

TEST_F(Leaving, WhileTheUpstreamProxyOwesItsAnswer) {
  leave_after(connect_request("far.test:443"));
  expect_nothing_left();
}

TEST_F(Leaving, FromAnOpenTunnel) {
  leave_after(connect_request(origin_.authority("site.test")) + "data");
  expect_nothing_left();
}

TEST_F(Leaving, InTheMiddleOfAHello) {
  leave_after(connect_request(origin_.authority("site.test")) + client_hello("site.test").substr(0, 50));
  expect_nothing_left();
}

TEST_F(Leaving, InTheMiddleOfABody) {
  leave_after("POST http://" + origin_.authority("site.test") + "/ HTTP/1.0\r\nContent-Length: 1000\r\n\r\npart");
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::proxy::test
