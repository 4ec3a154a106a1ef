// Refusals before the start: one `end` event, the same reason on standard error, exit code 2, nothing left.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_pi.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

struct Refusal {
  std::string name;
  std::vector<std::string> args;
  std::string detail;  ///< a part of it
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, IsOneEndEventAndALineOnStandardError) {
  const FakePi pi("reply");
  pi.stage().root().write("bad.env", "GOOD=1\nSECRET VALUE\n");
  Invocation call = pi.stage().invocation(GetParam().args);
  call.environment["PATH"] = (pi.stage().root() / "bin").native() + ":" + call.environment["PATH"];
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  ASSERT_EQ(result.events().size(), 1U) << result.out;
  const json::object end = result.end();
  EXPECT_EQ(end.at("status"), "rejected");
  EXPECT_EQ(end.at("exit_code"), nullptr);
  const std::string detail(end.at("detail").as_string());
  EXPECT_THAT(detail, HasSubstr(GetParam().detail));
  EXPECT_EQ(result.err, "agentrun: " + detail + "\n");
  EXPECT_EQ(detail.find("SECRET"), std::string::npos);
  EXPECT_TRUE(pi.stage().clean());
}

std::vector<std::string> pi(std::vector<std::string> more) {
  std::vector<std::string> args{"pi", "--format", "jsonl", "--prompt", "x"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Refused,
    ::testing::Values(
        Refusal{"UnknownRuntime", {"nosuch", "--format", "jsonl"}, "nosuch"},
        Refusal{"UnknownOption", pi({"--frobnicate"}), "--frobnicate"},
        Refusal{"BadTimeout", pi({"--timeout", "0"}), "--timeout"},
        Refusal{"BadSandbox", pi({"--sandbox", "maybe"}), "maybe"},
        Refusal{"BothPrompts", pi({"--prompt-file", "f"}), "--prompt"},
        Refusal{"EmptyPrompt", {"pi", "--format", "jsonl", "--prompt="}, "prompt"},
        Refusal{"MissingPromptFile", {"pi", "--format", "jsonl", "--prompt-file", "missing"}, "missing"},
        Refusal{"MissingDirectory", pi({"--cwd", "/nonexistent"}), "--cwd /nonexistent"},
        Refusal{"RootAsDirectory", pi({"--cwd", "/", "--model", "anthropic/m"}), "/"},
        Refusal{"MissingPath", pi({"--path", "/nonexistent"}), "--path"},
        Refusal{"MissingVariable", pi({"--env", "NOT_SET_ANYWHERE"}), "NOT_SET_ANYWHERE"},
        Refusal{"BadEnvFile", pi({"--env-file", "../bad.env"}), "bad.env:2"},
        Refusal{"BadHostRule", pi({"--network", "custom", "--allow-host", "*"}), "--network full"},
        Refusal{"RuleWithoutCustom", pi({"--allow-host", "a.test"}), "custom"},
        Refusal{"CustomWithoutRule", pi({"--network", "custom"}), "--allow-host"},
        Refusal{"TildeInDenyRead", pi({"--deny-read", "~/x", "--model", "anthropic/m"}),
                "--deny-read ~/x: ~ is not expanded, give the full path"},
        Refusal{"DenyReadOfTheWorkingDirectory", pi({"--deny-read", ".", "--model", "anthropic/m"}),
                "contains the working directory"},
        Refusal{"DenyReadOfTheTemporaryDirectory", pi({"--deny-read", "../tmp", "--model", "anthropic/m"}),
                "contains the temporary directory"},
        Refusal{"MaxTurns", pi({"--max-turns", "3"}), "--max-turns"},
        Refusal{"ModelWithoutProvider", pi({"--model", "m"}), "--model for pi must be provider/model, got 'm'"},
        Refusal{"UnknownModelService", pi({"--model", "nobody/m"}),
                "cannot tell which host pi's model service uses (provider: nobody)"},
        Refusal{"UnknownProvider", pi({}), "cannot tell which host pi's model service uses (provider: unknown)"},
        Refusal{"MissingImage", pi({"--image", "missing.png"}), "missing.png"},
        Refusal{"RawThatCannotBeMade", pi({"--raw", "/nonexistent/raw", "--model", "anthropic/m"}), "--raw"},
        Refusal{"BackendNone", pi({"--backend", "none", "--model", "anthropic/m"}), "--sandbox off"},
        Refusal{"MissingBackend", pi({"--backend", "foo", "--model", "anthropic/m"}),
                "sandbox is not available: no backend plugin 'foo' (looked in: "}),
    [](const ::testing::TestParamInfo<Refusal>& each) { return each.param.name; });

TEST(Refusals, ABadSandboxVariableIsRefused) {
  const FakePi pi("reply");
  Invocation call = pi.invocation();
  call.environment["AGENTRUN_SANDBOX"] = "X";
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("invalid AGENTRUN_SANDBOX value 'X': expected on, relax or off"));
}

TEST(Refusals, ARuntimeThatTheAgentCouldHavePlantedIsRefused) {
  const FakePi pi("reply");
  const auto planted = pi.stage().root().write("work/bin/pi", "#!/bin/sh\n");
  std::filesystem::permissions(planted, std::filesystem::perms::owner_all);
  Invocation call = pi.invocation({"--path", (pi.stage().work() / "bin").native()});
  call.args[2] = (pi.stage().work() / "bin").native();
  const Finished result = run(call);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("bin/pi"));
}

TEST(Refusals, AWorkingDirectoryWhereAPluginCouldBePlantedIsRefused) {
  const FakePi pi("reply");
  const Finished home = run(pi.invocation({"--cwd", pi.stage().home().native()}));
  EXPECT_EQ(home.exit_code, 2);
  EXPECT_THAT(home.err, HasSubstr((pi.stage().home() / ".local/share/agentrun/plugins").native()));
  EXPECT_THAT(home.err, HasSubstr("Use a --cwd that does not contain it"));
  EXPECT_EQ(run(pi.invocation({"--cwd", pi.stage().home().native(), "--sandbox", "off"})).exit_code, 0);
}

TEST(Refusals, ALoaderVariableThatLeadsIntoTheWorkingDirectoryIsRefused) {
  const FakePi pi("reply");
  for (const char* variable : {"LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH"}) {
    const Finished result = pi.run({"--env", std::string(variable) + "=" + pi.stage().work().native()});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(variable));
  }
}

TEST(Refusals, ARuntimeThatIsNotInstalledIsNamed) {
  const Stage stage;
  const Finished result = stage.run({"pi", "--prompt", "x", "--model", "anthropic/m", "--format", "jsonl"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("pi"));
  EXPECT_THAT(result.err, HasSubstr("PATH"));
}

}  // namespace
}  // namespace agentrun::testing
