#include "clients_fixture.hpp"

#include <gmock/gmock.h>

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Backends, Clients, ::testing::Values("bwrap", "landlock"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(Clients, CurlGoesThroughConnectPlainHttpAndSocks) {
  AGENTRUN_NEEDS("curl");
  const Finished result = in_sandbox("set -e; curl -sS " + secure_url() + "/hello.txt; curl -sS " + plain_url() +
                                     "/hello.txt; curl -sS -d posted " + plain_url() +
                                     "/; echo; curl -sS --proxy socks5h://127.0.0.1:${HTTP_PROXY##*:} " + secure_url() +
                                     "/hello.txt; curl -sS --proxytunnel " + plain_url() + "/hello.txt");
  EXPECT_EQ(result.out, "hello\nhello\nposted\nhello\nhello\n") << result.err;
  EXPECT_EQ(result.exit_code, 0);
}

TEST_P(Clients, CurlSaysThatAHostIsRefused) {
  AGENTRUN_NEEDS("curl");
  const Finished result = in_sandbox(
      "curl -sS https://refused.test/; curl -sS http://refused.test/; curl -sS --proxy "
      "socks5h://127.0.0.1:${HTTP_PROXY##*:} https://refused.test/");
  EXPECT_EQ(result.out, "agentrun: refused.test:80 is not allowed (not_allowed)");
  EXPECT_THAT(result.err, HasSubstr("403"));
  EXPECT_THAT(result.err, HasSubstr("(2)")) << "the reply code of SOCKS5";
}

TEST_P(Clients, WgetFetches) {
  AGENTRUN_NEEDS("wget");
  const Finished result = in_sandbox("wget -q -O- --ca-certificate=" + certificate() + " " + secure_url() +
                                     "/hello.txt && wget -q -O- " + plain_url() + "/hello.txt");
  EXPECT_EQ(result.out, "hello\nhello\n") << result.err;
}

TEST_P(Clients, GitClones) {
  AGENTRUN_NEEDS("git");
  make_repository();
  const Finished result = in_sandbox("git clone -q " + secure_url() + "/repository.git copy && cat copy/file");
  EXPECT_EQ(result.out, "content\n") << result.err;
}

TEST_P(Clients, PythonFetches) {
  const Finished result =
      in_sandbox("python3 " + (clients / "fetch.py").native() + " " + secure_url() + "/hello.txt && python3 " +
                 (clients / "fetch.py").native() + " " + plain_url() + "/hello.txt");
  EXPECT_EQ(result.out, "200 hello\n200 hello\n") << result.err;
}

TEST_P(Clients, NodeTunnelsAPageAndAWebSocket) {
  AGENTRUN_NEEDS("node");
  const std::string script = "node " + (clients / "tunnel.js").native() + " localhost " + secure_->port();
  for (const char* check : {"off", "strict"}) {
    const Finished result = in_sandbox(script, {"--check-sni", check});
    EXPECT_EQ(result.out, "200 hello\n101 frame\n") << result.err;
  }
}

TEST_P(Clients, ThatAskForEverNewHostsAreToldOfUpToABound) {
  const Finished result = in_sandbox("python3 " + (clients / "many_hosts.py").native() + " 4200");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Finished stream;
  stream.out = read_file(events());
  EXPECT_EQ(stream.events("network").size(), 4096U);
  ASSERT_EQ(stream.events("note").size(), 1U);
  EXPECT_EQ(stream.events("note")[0].at("text"),
            "network events: more than 4096 refused hosts and ports; further ones are not told");
}

TEST_P(Clients, AreStoppedWhenTheyNameAnotherHostInsideATunnel) {
  AGENTRUN_NEEDS("curl");
  const std::string port = secure_->port();
  const std::string fronting =
      "curl -sSk --connect-to other.test:" + port + ":localhost:" + port + " https://other.test:" + port + "/hello.txt";
  EXPECT_EQ(in_sandbox(fronting).out, "hello\n") << "that is what the check is for";
  const std::string honest = "curl -sS " + secure_url() + "/hello.txt";
  const Finished result = in_sandbox(fronting + "; " + honest, {"--check-sni", "lenient"});
  EXPECT_EQ(result.out, "hello\n");
  EXPECT_THAT(result.err, HasSubstr("unrecognized name"));
  Finished stream;
  stream.out = read_file(events());
  const auto network = stream.events("network");
  ASSERT_EQ(network.size(), 2U);
  EXPECT_EQ(network[0].at("allowed"), true);
  EXPECT_EQ(network[1].at("reason"), "sni_mismatch");
  EXPECT_EQ(network[1].at("host"), "localhost");
}

}  // namespace
}  // namespace agentrun::testing
