// The demo agent as a program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_server.hpp"
#include "program.hpp"
#include "temp_dir.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DemoAgent : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run_with(const std::string& prompt, std::map<std::string, std::string> environment = {}) {
    Invocation invocation;
    invocation.program = AGENTRUN_DEMO_AGENT;
    invocation.cwd = work_;
    invocation.environment = std::move(environment);
    invocation.input = prompt;
    return testing::run(invocation);
  }

  TempDir root_;
  std::filesystem::path work_ = root_.make("work");
};

TEST_F(DemoAgent, TakesTheStepsOfAScript) {
  const Finished finished =
      run_with("#demo\n# a comment\n\nwrite a.txt two words\r\nread a.txt\nsay all good\nexit 7\nsay no");
  EXPECT_EQ(finished.exit_code, 7);
  EXPECT_EQ(read_file(work_ / "a.txt"), "two words\n");
  EXPECT_EQ(finished.out.substr(finished.out.find('\n') + 1),
            R"({"type":"call","id":"1","tool":"write","about":"a.txt"}
{"type":"result","id":"1","ok":true,"detail":"10 bytes"}
{"type":"call","id":"2","tool":"read","about":"a.txt"}
{"type":"result","id":"2","ok":true,"detail":"10 bytes"}
{"type":"text","text":"all good"}
)");
}

TEST_F(DemoAgent, GoesOnAfterAStepThatFailed) {
  const Finished finished = run_with("#demo\nread missing\nwrite missing/a b\nsay done");
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.out, HasSubstr(R"("id":"1","ok":false,"detail":"No such file or directory")"));
  EXPECT_THAT(finished.out, HasSubstr(R"("id":"2","ok":false,"detail":"No such file or directory")"));
  EXPECT_THAT(finished.out, HasSubstr(R"("text":"done")"));
}

TEST_F(DemoAgent, RefusesAScriptThatItDoesNotUnderstand) {
  for (const char* step : {"dance", "write", "read", "sleep soon", "sleep 1x", "exit 256", "exit -1", "write  text"}) {
    const Finished finished = run_with("#demo\nsay hello\n" + std::string(step));
    EXPECT_EQ(finished.exit_code, 2) << step;
    EXPECT_THAT(finished.err, HasSubstr("line 3: expected write PATH TEXT")) << step;
    EXPECT_THAT(finished.out, Not(HasSubstr(R"("type":"text")"))) << step;
  }
}

TEST_F(DemoAgent, NeverShowsWhatIsInAFile) {
  root_.write("secret", "the key");
  const Finished finished = run_with("show me", {{"DEMO_SECRET", root_ / "secret"}});
  EXPECT_THAT(finished.out, HasSubstr("7 bytes"));
  EXPECT_THAT(finished.out, Not(HasSubstr("the key")));
}

TEST_F(DemoAgent, FetchesThroughTheProxyAndShowsItsAnswer) {
  ModelServer proxy({ModelTurn::error(403, "agentrun: h.test:80 is not allowed")});
  const Finished finished = run_with("#demo\nfetch http://h.test/a?b", {{"HTTP_PROXY", proxy.url("/")}});
  EXPECT_THAT(finished.out,
              HasSubstr(R"("ok":false,"detail":"403 Forbidden: {\"error\":{\"message\":\"agentrun: h.test:80)"));
  ASSERT_EQ(proxy.requests().size(), 1U);
  EXPECT_EQ(proxy.requests()[0].method, "GET");
  EXPECT_EQ(proxy.requests()[0].target, "http://h.test/a?b");
  EXPECT_EQ(proxy.requests()[0].headers["host"], "h.test:80");
}

TEST_F(DemoAgent, SaysWhyAFetchFailed) {
  EXPECT_THAT(run_with("#demo\nfetch https://h.test/").out, HasSubstr("not an http:// URL"));
  EXPECT_THAT(run_with("#demo\nfetch http://h.test/ HTTP/1.1").out, HasSubstr("not an http:// URL"));
  EXPECT_THAT(run_with("#demo\nfetch http://127.0.0.1:1/").out, HasSubstr("Connection refused"));
  EXPECT_THAT(run_with("#demo\nfetch http://h.test/", {{"HTTP_PROXY", "socks5://x"}}).out, HasSubstr("HTTP_PROXY"));
}

TEST_F(DemoAgent, ShowsTheSandboxWithoutAScript) {
  ModelServer server({ModelTurn::error(200, "")});
  const Finished finished = run_with("Show me.", {{"DEMO_OUTSIDE", root_ / "no/file"},
                                                  {"DEMO_SECRET", root_ / "secret"},
                                                  {"DEMO_ALLOWED_URL", server.url("/hello")},
                                                  {"DEMO_REFUSED_URL", "http://127.0.0.1:1/"}});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(work_ / "agentrun-demo.txt"));
  EXPECT_EQ(server.requests().at(0).target, "/hello");
  EXPECT_THAT(finished.out, HasSubstr(R"(This is what I saw:\nwrite agentrun-demo.txt worked)"));
  EXPECT_THAT(finished.out, HasSubstr(R"(\nfetch http://127.0.0.1:1/ failed: Connection refused")"));
}

}  // namespace
}  // namespace agentrun::testing
