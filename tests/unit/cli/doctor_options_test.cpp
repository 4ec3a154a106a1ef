#include <gmock/gmock.h>

#include "command_lines.hpp"

namespace agentrun::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(DoctorOptions, ChecksEveryRuntimeWithoutAName) {
  const auto command = parsed<DoctorCommand>({"doctor"});
  EXPECT_TRUE(command.options.every_runtime);
  EXPECT_THAT(command.options.runtimes, ElementsAre("claude-code", "codex", "demo", "dsh", "echo", "pi"));
  EXPECT_FALSE(command.json);
}

TEST(DoctorOptions, ChecksTheNamedRuntimesWhereverTheyStand) {
  const auto command = parsed<DoctorCommand>({"doctor", "pi", "--json", "codex", "--model", "dsh"});
  EXPECT_FALSE(command.options.every_runtime);
  EXPECT_THAT(command.options.runtimes, ElementsAre("pi", "codex"));
  EXPECT_EQ(command.options.model, "dsh");
  EXPECT_TRUE(command.json);
}

TEST(DoctorOptions, AreThoseOfARunThatDecideWhatItMeets) {
  const auto command = parsed<DoctorCommand>(
      {"doctor", "--sandbox", "relax", "--backend", "bwrap", "--network", "custom", "--allow-host", "example.com:8443",
       "--deny-read", "/x", "--no-default-deny-read", "--path", "/p", "--env", "A=b", "--env-file", "/f", "--debug"});
  const host::SessionOptions& session = command.options.session;
  EXPECT_EQ(session.sandbox, host::SandboxMode::relax);
  EXPECT_EQ(session.backend, "bwrap");
  EXPECT_EQ(session.network, NetworkMode::custom);
  EXPECT_EQ(session.allow_hosts.size(), 1U);
  EXPECT_THAT(session.deny_read, ElementsAre("/x"));
  EXPECT_FALSE(session.default_deny_read);
  EXPECT_EQ(session.path.size(), 1U);
  EXPECT_EQ(session.env.size(), 1U);
  EXPECT_EQ(session.env_files.size(), 1U);
  EXPECT_TRUE(session.debug);
  for (const char* option : {"--prompt", "--cwd", "--timeout", "--dry-run", "--raw"}) {
    EXPECT_THAT(refusal({"doctor", option}), StartsWith("unknown option")) << option;
  }
}

TEST(DoctorOptions, RefuseARuntimeThatIsNotThere) {
  EXPECT_EQ(refusal({"doctor", "codx"}),
            "no runtime plugin 'codx' (looked in: /plugins/a, /plugins/b). Did you mean 'codex'?");
  EXPECT_THAT(refusal({"doctor", "exec"}), StartsWith("no runtime plugin 'exec' (looked in: "));
  EXPECT_THAT(refusal({"doctor", "--json", "a SECRET"}), StartsWith("argument 2 is not the name of a runtime"));
  EXPECT_THAT(refusal({"doctor", "a SECRET"}), Not(HasSubstr("SECRET")));
  EXPECT_THAT(refusal({"doctor", ""}), StartsWith("argument 1 is not an option"));
  EXPECT_EQ(refusal({"doctor", "--", "pi"}), "doctor takes no --. Name the runtimes to check, or none for all");
}

TEST(DoctorOptions, RefuseCombinationsAsARunDoes) {
  EXPECT_THAT(refusal({"doctor", "--network", "custom"}), HasSubstr("--allow-host"));
  EXPECT_THAT(refusal({"doctor", "--allow-host", "x.test"}), HasSubstr("custom"));
}

TEST(DoctorOptions, AreInTheHelp) {
  const std::string text = parsed<ShowText>({"doctor", "--help"}).text;
  EXPECT_THAT(text, HasSubstr("Usage: agentrun doctor [RUNTIME…] [options]"));
  for (const char* option : {"--model ID", "--sandbox on|relax|off", "--backend NAME", "--network none|full|custom",
                             "--allow-host HOST[:PORT]", "--deny-read PATH", "--no-default-deny-read", "--path DIR",
                             "--env KEY[=VALUE]", "--env-file FILE", "--json", "--debug", "-h,--help"}) {
    EXPECT_THAT(text, HasSubstr(std::string("  ") + option)) << option;
  }
}

}  // namespace
}  // namespace agentrun::cli
