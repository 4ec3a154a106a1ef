// What a confined command reaches.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "backend_contract.hpp"
#include "backend_echo_server.hpp"

namespace agentrun::contract {
namespace {

using ::testing::HasSubstr;

class Network : public BackendContract {
 protected:
  void SetUp() override {
    BackendContract::SetUp();
    if (IsSkipped()) return;
    socat = testing::BackendServices({}, false).find_tool("socat").value_or("");
    ASSERT_NE(socat, "") << "the tests connect with socat";
  }
  [[nodiscard]] testing::Exited through_proxy(std::string script, std::string input = {}) const {
    return shell(builder(), access, std::move(script), {socat, "TCP4:127.0.0.1:" + std::to_string(access.port)},
                 std::move(input));
  }
  /// Where there is no network namespace, the proxy's own port is reached.
  [[nodiscard]] std::unique_ptr<testing::BackendEchoServer> proxy() {
    auto server = means().own_network ? std::make_unique<testing::BackendEchoServer>(session / "proxy.sock")
                                      : std::make_unique<testing::BackendEchoServer>();
    access = means().own_network ? proxied() : proxied(server->port());
    return server;
  }
  NetworkAccess access;
  std::filesystem::path socat;
};
INSTANTIATE_TEST_SUITE_P(Backends, Network, ::testing::ValuesIn(confining_variants()), variant_name);

/// A listening socket on the host's loopback.
class Listener {
 public:
  Listener() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptor_, generic, size) != 0 || ::listen(descriptor_, 8) != 0 ||
        ::getsockname(descriptor_, generic, &size) != 0) {
      throw std::runtime_error("cannot listen on loopback");
    }
    port_ = ::ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(descriptor_); }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

TEST_P(Network, HasOnlyALoopbackWhenItIsCut) {
  if (!means().own_network) GTEST_SKIP() << "the host's interfaces can be seen";
  const auto exited = shell(builder(), "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
  EXPECT_EQ(exited.out, "lo\n");
}

TEST_P(Network, DoesNotReachAServerOnTheHostsLoopback) {
  const Listener listener;
  const std::string address = "TCP4:127.0.0.1:" + std::to_string(listener.port());
  const std::string script = "\"$1\" -u /dev/null \"$2\"";
  EXPECT_EQ(shell(builder(), network(NetworkAccess::Kind::open), script, {socat, address}).code, 0);
  EXPECT_NE(shell(builder(), network(NetworkAccess::Kind::cut), script, {socat, address}).code, 0);
}

TEST_P(Network, DoesNotReachAnAbstractUnixSocketOutside) {
  const std::string name = "agentrun-test-" + std::to_string(::getpid()) + GetParam().name;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(descriptor, 8), 0);
  const std::string script = "\"$1\" -u /dev/null ABSTRACT-CONNECT:\"$2\"";
  const testing::SpawnOptions control{environment, {}};
  EXPECT_EQ(testing::BackendProcess({"/bin/sh", "-c", script, "sh", socat, name}, control).wait().code, 0);
  EXPECT_NE(shell(builder(), network(NetworkAccess::Kind::cut), script, {socat, name}).code, 0);
  ::close(descriptor);
}

TEST_P(Network, ReachesTheProxyOnTheSamePortInside) {
  const auto server = proxy();
  const auto exited = through_proxy("exec \"$1\" - \"$2\"", "hello\n");
  EXPECT_EQ(exited.out, "hello\n") << exited.err;
  EXPECT_EQ(exited.code, 0);
}

TEST_P(Network, AcceptsTheVeryFirstConnection) {
  const auto server = proxy();
  const Policy policy = built(builder());
  const auto connect =
      plan(policy, access, {socat, "-u", "/dev/null", "TCP4:127.0.0.1:" + std::to_string(access.port)});
  for (int i = 0; i < 20; ++i) {
    const auto exited = start(connect)->wait();
    ASSERT_EQ(exited.code, 0) << "run " << i << ": " << exited.err;
  }
}

TEST_P(Network, CarriesManyConnectionsAtOnce) {
  const auto server = proxy();
  const auto exited = through_proxy(
      "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do echo $i | \"$1\" - \"$2\" & "
      "done; wait; echo done");
  EXPECT_EQ(std::count(exited.out.begin(), exited.out.end(), '\n'), 25) << exited.err;
}

TEST_P(Network, CarriesTheProxyWhateverItsDirectoryIsCalled) {
  for (const char* name : {"a,b!!EXEC:id", "two words", "quote'\"$(id)`id`", "new\nline", "\xff", "-d",
                           "a-directory-name-that-is-so-long-that-the-path-of-the-socket-does-not-fit-into-the-108-"
                           "bytes-of-an-address"}) {
    session = testing::make_directory(stage.path() / name);
    const auto server = proxy();
    const auto exited = through_proxy("exec \"$1\" - \"$2\"", "hello\n");
    EXPECT_EQ(exited.out, "hello\n") << name << exited.err;
  }
}

TEST_P(Network, HasOnlyALoopbackBehindTheProxy) {
  if (!means().own_network) GTEST_SKIP() << "the host's interfaces can be seen";
  const auto server = proxy();
  EXPECT_EQ(through_proxy("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '").out, "lo\n");
}

TEST_P(Network, LetsTheProxiedCommandKeepWhatIsItsOwn) {
  const auto server = proxy();
  environment.push_back("GREETING=hello");
  EXPECT_EQ(through_proxy("exit 42").code, 42);
  EXPECT_EQ(through_proxy("cat", "input").out, "input");
  EXPECT_EQ(through_proxy("pwd -P").out, cwd.native() + "\n");
  EXPECT_EQ(through_proxy("printf %s $GREETING").out, "hello");
  EXPECT_EQ(through_proxy("echo err >&2").err, "err\n");
  EXPECT_EQ(through_proxy("exec ls /proc/self/fd").out, "0\n1\n2\n3\n");
  EXPECT_EQ(through_proxy(signals_script).out, "SigBlk:0\nSigIgn:0\n");
}

TEST_P(Network, EndsStandardOutputWithTheCommandThoughTheRelayLivesOn) {
  const auto server = proxy();
  const auto exited = through_proxy("echo done");
  EXPECT_EQ(exited.out, "done\n");
  EXPECT_EQ(exited.err, "");
  EXPECT_TRUE(exited.out_ended);
}

TEST_P(Network, GivesTheCommandNoChildItDidNotMake) {
  const auto server = proxy();
  EXPECT_EQ(through_proxy("read -r child </proc/$$/task/$$/children; echo \"<$child>\"").out, "<>\n");
}

TEST_P(Network, FailsAsASandboxWhenTheRelayCannotListen) {
  if (!means().own_network) GTEST_SKIP() << "there is no relay";
  const auto server = proxy();
  NetworkAccess lost = proxied();
  lost.proxy_socket = session / "missing" / "proxy.sock";
  const auto exited = shell(builder(), lost, "echo started");
  EXPECT_EQ(exited.out, "");
  EXPECT_EQ(exited.code, 1);
  EXPECT_THAT(exited.err, HasSubstr("\n" + backend->start_failure().prefix));
}

}  // namespace
}  // namespace agentrun::contract
