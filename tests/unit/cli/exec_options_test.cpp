#include <gmock/gmock.h>

#include "command_lines.hpp"

namespace agentrun::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ExecOptions, TakeTheCommandBehindTheDashesUnchanged) {
  const auto exec = parsed<ExecCommand>({"exec", "--", "sh", "-c", "exit 3", "--", "--debug", "", "--help"});
  EXPECT_THAT(exec.options.command, ElementsAre("sh", "-c", "exit 3", "--", "--debug", "", "--help"));
  EXPECT_FALSE(exec.options.session.debug);
  EXPECT_FALSE(exec.options.events);
}

TEST(ExecOptions, AllHaveAnEffect) {
  const auto exec = parsed<ExecCommand>({"exec",        "--cwd",
                                         "/w",          "--sandbox",
                                         "off",         "--backend",
                                         "none",        "--network",
                                         "custom",      "--allow-host",
                                         "a.test",      "--deny-read",
                                         "/d",          "--no-default-deny-read",
                                         "--check-sni", "strict",
                                         "--path",      "/p",
                                         "--env",       "A=1",
                                         "--env-file",  "f",
                                         "--timeout",   "5",
                                         "--events",    "fd:3",
                                         "--debug",     "--dry-run",
                                         "--",          "true"});
  const host::SessionOptions& session = exec.options.session;
  EXPECT_EQ(session.cwd, "/w");
  EXPECT_EQ(session.sandbox, host::SandboxMode::off);
  EXPECT_EQ(session.backend, "none");
  EXPECT_EQ(session.network, NetworkMode::custom);
  EXPECT_THAT(session.allow_hosts, ElementsAre(HostRule{"a.test", false, {}}));
  EXPECT_THAT(session.deny_read, ElementsAre("/d"));
  EXPECT_EQ(session.check_sni, SniCheck::strict);
  EXPECT_FALSE(session.default_deny_read);
  EXPECT_THAT(session.path, ElementsAre("/p"));
  EXPECT_EQ(session.env.size(), 1);
  EXPECT_THAT(session.env_files, ElementsAre("f"));
  EXPECT_EQ(session.timeout_seconds, 5);
  EXPECT_EQ(exec.options.events, "fd:3");
  EXPECT_TRUE(session.debug && session.dry_run);
}

TEST(ExecOptions, RefuseAMissingCommand) {
  constexpr const char* expected =
      "exec has no command. Put the command behind --: agentrun exec [options] -- COMMAND [ARGS…]";
  EXPECT_EQ(refusal({"exec"}), expected);
  EXPECT_EQ(refusal({"exec", "--debug"}), expected);
  EXPECT_EQ(refusal({"exec", "--"}), expected);
  EXPECT_EQ(refusal({"exec", "--", ""}), "the command behind -- is empty. Name a program");
}

TEST(ExecOptions, RefuseACommandWithoutDashes) {
  EXPECT_EQ(refusal({"exec", "ls", "-la"}),
            "argument 1 is not an option. Put the command behind --: agentrun exec [options] -- COMMAND [ARGS…]");
}

TEST(ExecOptions, DoNotKnowTheOptionsOfARun) {
  for (const char* option : {"--prompt", "--prompt-file", "--image", "--model", "--effort", "--max-turns",
                             "--no-subagents", "--format", "--raw"}) {
    EXPECT_THAT(refusal({"exec", option, "x", "--", "true"}),
                HasSubstr(std::string("unknown option '") + option + "'"));
  }
}

TEST(ExecOptions, CheckTheNetworkLikeARun) {
  EXPECT_THAT(refusal({"exec", "--network", "custom", "--", "true"}), HasSubstr("without a rule"));
  EXPECT_THAT(refusal({"exec", "--allow-host", "a.test", "--", "true"}), HasSubstr("has no effect"));
}

}  // namespace
}  // namespace agentrun::cli
