// codex's own proxy in front of the agent's commands, and the filter proxy behind it. codex reaches addresses that are
// not public past any proxy, so the hosts here have public addresses in an /etc/hosts of the run's own, and what the
// filter proxy lets through goes to an upstream proxy on loopback: nothing leaves this machine.

#include <unistd.h>

#include <thread>

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
    return agentrun::testing::run(custom(std::move(rules)));
  }
  [[nodiscard]] Invocation custom(std::vector<std::string> rules) const {
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
    return call;
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

/// A token that nobody signed, as codex reads it: {"alg":"none"}, the account and the time when it ends.
std::string token(const std::string& end) {
  const std::string claims = R"({"exp":)" + end +
                             R"(,"email":"a@b.test","https://api.openai.com/auth":{"chatgpt_account_id":"acc",)"
                             R"("chatgpt_plan_type":"pro","chatgpt_user_id":"u"}})";
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string encoded;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : claims) {
    held = (held << 8U) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) encoded.push_back(digits[(held >> (bits - 6)) & 63U]);
  }
  if (bits > 0) encoded.push_back(digits[(held << (6 - bits)) & 63U]);
  return "eyJhbGciOiJub25lIn0." + encoded + ".c2ln";
}

TEST_F(RealCodexNetwork, RefreshesTheUsersLoginThroughTheLink) {
  const json::object old_tokens{{"id_token", token("1")},
                                {"access_token", token("1000000000")},
                                {"refresh_token", "OLD-REFRESH"},
                                {"account_id", "acc"}};
  const json::object login{{"auth_mode", "chatgpt"},
                           {"OPENAI_API_KEY", nullptr},
                           {"tokens", old_tokens},
                           {"last_refresh", "2020-01-01T00:00:00Z"}};
  const auto file = stage_.root().write("home/.codex/auth.json", json::serialize(login));
  const HttpServer accounts(json::serialize(json::object{
      {"id_token", token("4000000000")}, {"access_token", token("4000000000")}, {"refresh_token", "NEW-REFRESH"}}));
  model({ModelTurn::say("Done.")});
  Invocation call = custom({accounts.authority()});
  call.environment["CODEX_REFRESH_TOKEN_URL_OVERRIDE"] = accounts.url() + "oauth/token";
  std::string& provider = call.args.back();
  const std::string key = R"(env_key="TEST_MODEL_KEY")";
  provider.replace(provider.find(key), key.size(), "requires_openai_auth=true, supports_websockets=false");
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const Finished result = agentrun::testing::run(call);
        EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
      });
    }
  }
  EXPECT_GT(accounts.requests(), 0);
  EXPECT_FALSE(std::filesystem::is_symlink(file));
  const json::value refreshed = json::parse(read_file(file));
  EXPECT_EQ(refreshed.at("tokens").at("refresh_token").as_string(), "NEW-REFRESH");
  EXPECT_THAT(seen_by_model(), Not(HasSubstr("REFRESH")));
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
