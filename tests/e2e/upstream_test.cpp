// The caller's own proxy, behind the filter proxy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http_server.hpp"
#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string probe(AGENTRUN_PROBE);

/// A command that may reach a.test, whose caller has `variables`.
Invocation caller_with(const Stage& stage, const std::map<std::string, std::string>& variables,
                       const std::string& script, std::vector<std::string> options = {}) {
  std::vector<std::string> args{"exec", "--network", "custom", "--allow-host", "a.test"};
  args.insert(args.end(), options.begin(), options.end());
  args.insert(args.end(), {"--", "/bin/sh", "-c", script});
  Invocation call = stage.invocation(args);
  for (const auto& [name, value] : variables) call.environment[name] = value;
  return call;
}

TEST(Upstream, CarriesAllTrafficAndIsNamedNowhere) {
  const HttpServer upstream("from afar");
  const Stage stage;
  const std::filesystem::path events = stage.root() / "events.jsonl";
  const std::string url = "http://keeper:hidden%40word@" + upstream.authority();
  const std::string script = probe + " fetch http://a.test/x; " + probe + " fetch http://a.test:443/ CONNECT; " +
                             probe + " fetch http://b.test/; env";
  const Finished result =
      run(caller_with(stage, {{"all_proxy", url}}, script, {"--events", events.native(), "--debug"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("200\nfrom afar\n200\nfrom afar\n403\n"
                                     "agentrun: b.test:80 is not allowed (not_allowed)\n"));

  const std::string authorization = "\r\nProxy-Authorization: Basic a2VlcGVyOmhpZGRlbkB3b3Jk\r\n";
  ASSERT_EQ(upstream.heads().size(), 2U);
  EXPECT_THAT(upstream.heads()[0], StartsWith("GET http://a.test/x HTTP/1.1" + authorization));
  EXPECT_THAT(upstream.heads()[1], StartsWith("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443" + authorization));
  for (const std::string& text : {result.out, result.err, read_file(events)}) {
    for (const std::string& part :
         {std::string("keeper"), std::string("hidden"), std::string("a2VlcGVyO"), std::to_string(upstream.port())})
      EXPECT_THAT(text, Not(HasSubstr(part)));
  }
}

TEST(Upstream, IsPassedByForTheHostsOfNoProxy) {
  const HttpServer upstream("from afar");
  const HttpServer near("from near");
  const Stage stage;
  const Finished result = run(caller_with(stage, {{"http_proxy", upstream.authority()}, {"NO_PROXY", "127.0.0.0/8"}},
                                          probe + " fetch " + near.url(), {"--allow-host", near.authority()}));
  EXPECT_EQ(result.out, "200\nfrom near\n");
  EXPECT_EQ(upstream.requests(), 0);
}

TEST(Upstream, IsNotedWhenItCannotBeUsed) {
  const Stage stage;
  const std::map<std::string, std::string> variables{{"ALL_PROXY", "socks5h://keeper:hidden@127.0.0.1:1080"}};
  const Finished result = run(caller_with(stage, variables, "true"));
  EXPECT_EQ(result.err, "[note] ALL_PROXY is not used, connections go direct: only http:// proxies are supported\n");

  Invocation agent = stage.invocation({"demo", "--network", "full", "--prompt", "#demo\nsay hello\n"});
  agent.environment.insert(variables.begin(), variables.end());
  EXPECT_EQ(run(agent).err, result.err);

  Invocation without_proxy = stage.invocation({"exec", "--", "true"});
  without_proxy.environment.insert(variables.begin(), variables.end());
  EXPECT_EQ(run(without_proxy).err, "") << "it makes no difference there";
}

TEST(Upstream, ThatFailsIsToldByItsCause) {
  const Stage stage;
  const Finished result =
      run(caller_with(stage, {{"http_proxy", "http://proxy.invalid:3128"}}, probe + " fetch http://a.test/"));
  EXPECT_EQ(result.out, "502\nagentrun: a.test:80 upstream proxy connection failed (Name or service not known)\n");
}

}  // namespace
}  // namespace agentrun::testing
