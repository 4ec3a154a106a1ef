#include "peer_guard.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc_net_tcp.hpp"
#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

constexpr const char* table =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     7        0 900 1 0 100 0 0 10 0\n"
    "   1: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 901 1 0 20 4 30 10 -1\n"
    "   2: 0100007F:C002 0100007F:1F90 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0\n"
    "   3: 0200007F:C003 0100007F:1F90 08 00000000:00000000 00:00000000 00000000     0        0 902 1 0 20 4 30 10 "
    "-1\n";

constexpr Endpoint proxy_end{loopback, 0x1F90};

TEST(ProcNetTcp, NamesTheOwnerOfAConnection) {
  EXPECT_EQ(find_owner(table, {loopback, 0xC001}, proxy_end), 1000U);
  EXPECT_EQ(find_owner(table, {loopback + 1, 0xC003}, proxy_end), 0U);
}

TEST(ProcNetTcp, KnowsNothingOfOthersAndOfWhatIsClosed) {
  EXPECT_EQ(find_owner(table, {loopback, 0xC002}, proxy_end), std::nullopt) << "no inode: counts as root's";
  EXPECT_EQ(find_owner(table, {loopback, 0xC003}, proxy_end), std::nullopt) << "another address";
  EXPECT_EQ(find_owner(table, {loopback, 0xC001}, {loopback, 0x1F91}), std::nullopt) << "another port";
  EXPECT_EQ(find_owner(table, proxy_end, {0, 0}), std::nullopt) << "a listener";
  EXPECT_EQ(find_owner("", {loopback, 1}, proxy_end), std::nullopt);
  EXPECT_EQ(find_owner("garbage\n1: x:y z:w 01\n", {loopback, 1}, proxy_end), std::nullopt);
}

TEST(PeerGuard, AdmitsItsOwnUser) {
  Origin origin;
  const Peer client = Peer::connect(origin.port());
  const Peer accepted = origin.accept();
  EXPECT_TRUE(make_same_user_guard()->admits(accepted.descriptor()));
}

TEST(PeerGuard, AdmitsAClientThatHasClosedItsSendingSide) {
  Origin origin;
  Peer client = Peer::connect(origin.port());
  client.shutdown_sending();
  const Peer accepted = origin.accept();
  EXPECT_TRUE(make_same_user_guard()->admits(accepted.descriptor()));
}

TEST(PeerGuard, RefusesWhatCannotBeTold) {
  Origin origin;
  Peer client = Peer::connect(origin.port());
  const Peer accepted = origin.accept();
  client.close();
  const auto guard = make_same_user_guard();
  EXPECT_TRUE(eventually([&] { return !guard->admits(accepted.descriptor()); })) << "its socket is nobody's now";
  EXPECT_FALSE(guard->admits(-1));
}

/// What another user gets for `request`: in a child process that has given its rights up.
std::string answer_to_nobody(std::uint16_t port, const std::string& request) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(2);
    Peer client = Peer::connect(port);
    client.try_send(request);
    const std::string answer = client.receive_all().bytes;
    const ssize_t written = ::write(ends[1], answer.data(), answer.size());
    ::_exit(written == static_cast<ssize_t>(answer.size()) ? 0 : 3);
  }
  ::close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? answer : "the child failed";
}

TEST(PeerGuard, ClosesConnectionsOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const ProxyUnderTest proxy(allow({"a.test"}));
  EXPECT_EQ(answer_to_nobody(proxy.proxy().port(), connect_request("b.test:443")), "");
  EXPECT_TRUE(proxy.events().empty());
  EXPECT_EQ(status_of(proxy.answer_to(connect_request("b.test:443"))), 403) << "its own user is served";
}

}  // namespace
}  // namespace agentrun::proxy::test
