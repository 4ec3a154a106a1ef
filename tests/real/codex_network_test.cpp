// codex's own proxy in front of the agent's commands, and the filter proxy behind it. codex reaches addresses that are
// not public past any proxy, so the hosts here have public addresses in an /etc/hosts of the run's own, and what the
// filter proxy lets through goes to an upstream proxy on loopback: nothing leaves this machine.

#include <unistd.h>

#include "codex_fixture.hpp"
#include "http_server.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RealCodexNetwork : public RealCodex {
 protected:
  void SetUp() override {
    RealCodex::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give the run an /etc/hosts of its own";
    stage_.root().write("hosts",
                        "127.0.0.1 localhost\n93.184.216.34 allowed.test sub.wild.test\n"
                        "93.184.216.35 refused.test\n");
  }

  [[nodiscard]] Finished run_custom(std::vector<std::string> rules) const {
    std::vector<std::string> options{"--network", "custom", "--allow-host",
                                     "127.0.0.1:" + std::to_string(model_->port())};
    for (std::string& rule : rules) {
      options.emplace_back("--allow-host");
      options.push_back(std::move(rule));
    }
    Invocation call = invocation(std::move(options));
    call.environment["http_proxy"] = "http://" + upstream_.authority();
    call.environment["https_proxy"] = "http://" + upstream_.authority();
    call.environment["no_proxy"] = "127.0.0.1";
    call.prefix = {"unshare",
                   "--mount",
                   "--propagation",
                   "private",
                   "/bin/sh",
                   "-c",
                   "mount --bind \"$0\" /etc/hosts && exec \"$@\"",
                   (stage_.root() / "hosts").native()};
    return agentrun::testing::run(call);
  }
  [[nodiscard]] static ModelTurn fetch(const std::string& url) {
    return shell(std::string(AGENTRUN_PROBE) + " fetch " + url + "; echo SAID");
  }
  [[nodiscard]] static bool has_event(const Finished& result, std::string_view host, std::uint16_t port, bool allowed) {
    for (const json::object& event : result.events("network")) {
      if (event.at("host").as_string() == host && event.at("port") == port && event.at("allowed") == allowed)
        return true;
    }
    return false;
  }

  HttpServer upstream_{"from the upstream"};
};

TEST_F(RealCodexNetwork, ReachesAnAllowedHostThroughBothProxies) {
  model({fetch("http://allowed.test/x"), ModelTurn::say("Done.")});
  const Finished result = run_custom({"allowed.test"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(request(1), HasSubstr("from the upstream"));
  EXPECT_TRUE(has_event(result, "allowed.test", 80, true)) << result.out;
  EXPECT_TRUE(has_event(result, "127.0.0.1", model_->port(), true)) << "codex's own requests to its model";
  EXPECT_EQ(result.events("start").front().at("network").at("enforced"), true);
}

TEST_F(RealCodexNetwork, IsRefusedAnyOtherHost) {
  model({fetch("http://refused.test/x"), ModelTurn::say("Refused.")});
  const Finished result = run_custom({"allowed.test"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(upstream_.requests(), 0);
  EXPECT_THAT(request(1), Not(HasSubstr("from the upstream")));
  EXPECT_EQ(tools_of(result).size(), 1U);
}

TEST_F(RealCodexNetwork, ReachesSubdomainsOfAWildcardOnly) {
  model({fetch("http://sub.wild.test/x"), fetch("http://allowed.test/x"), ModelTurn::say("Done.")});
  const Finished result = run_custom({"*.wild.test"});
  EXPECT_THAT(request(1), HasSubstr("from the upstream"));
  EXPECT_EQ(upstream_.requests(), 1);
}

TEST_F(RealCodexNetwork, IsHeldToThePortThatCodexCannotSay) {
  model({fetch("http://allowed.test/x"), ModelTurn::say("Refused.")});
  const Finished result = run_custom({"allowed.test:8080"});
  EXPECT_EQ(upstream_.requests(), 0);
  EXPECT_THAT(request(1), HasSubstr("is not allowed (not_allowed)"));
  EXPECT_TRUE(has_event(result, "allowed.test", 80, false)) << result.out;
}

TEST_F(RealCodexNetwork, ReachesNoServiceOfThisMachineBecauseOneOfItsPortsIsAllowed) {
  const HttpServer other("never");
  model({fetch(other.url()), shell(std::string(AGENTRUN_PROBE) + " connect 127.0.0.1 " + std::to_string(other.port())),
         ModelTurn::say("Refused.")});
  EXPECT_EQ(run_custom({}).exit_code, 0);
  EXPECT_EQ(other.requests(), 0);
}

TEST_F(RealCodexNetwork, ReachesTheHostDirectlyWithTheFullNetwork) {
  const HttpServer server("from the server");
  model({shell(std::string(AGENTRUN_PROBE) + " connect 127.0.0.1 " + std::to_string(server.port())),
         ModelTurn::say("Done.")});
  const Finished result = run({"--network", "full"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(request(1), HasSubstr("connected"));
  EXPECT_TRUE(result.events("network").empty());
}

}  // namespace
}  // namespace agentrun::testing
