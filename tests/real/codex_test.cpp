// What a run of the real codex tells, and what it keeps out.

#include <unistd.h>

#include <algorithm>

#include "codex_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(RealCodex, WritesAFileWithItsShellAndTellsTheStory) {
  ModelTurn first = shell("echo hello > hello.txt && cat hello.txt");
  first.text = "I write it.";
  model({first, ModelTurn::say("Wrote it.")});
  const Finished result = run({"--model", "gpt-test"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "hello.txt"), "hello\n");
  std::vector<std::string> types;
  for (const json::object& event : result.events()) types.emplace_back(event.at("type").as_string());
  EXPECT_THAT(types, ElementsAre("start", "prompt", "text", "tool", "text", "usage", "end"));
  EXPECT_EQ(result.events("start").front().at("sandbox"), "codex");
  EXPECT_EQ(result.events("prompt").front().at("text"), "Do it");
  EXPECT_THAT(tools_of(result), ElementsAre("shell: echo hello > hello.txt && cat hello.txt"));
  const json::object usage = result.events("usage").front();
  EXPECT_EQ(usage.at("model"), "gpt-test");
  EXPECT_EQ(usage.at("input_tokens"), 2 * (101 - 64));
  EXPECT_EQ(usage.at("cache_read_tokens"), 2 * 64);
  EXPECT_EQ(usage.at("output_tokens"), 2 * 20);
  EXPECT_EQ(result.end().at("result"), "Wrote it.");
  EXPECT_EQ(result.end().at("status"), "finished");
  EXPECT_THAT(request(0), HasSubstr("Do it"));
  EXPECT_THAT(request(1), HasSubstr("hello"));
  expect_nothing_left();
}

TEST_F(RealCodex, DoesTheSameAsAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "the other tests run as one";
  const std::string target = (stage_.outside() / "o").native();
  model({shell("echo hello > hello.txt; echo x > " + target), patch("patched.txt"), ModelTurn::say("Wrote it.")});
  const Finished result = agentrun::testing::run(as_ordinary_user(invocation()));
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "hello.txt"), "hello\n");
  EXPECT_EQ(read_file(stage_.work() / "patched.txt"), "hello\n");
  EXPECT_FALSE(std::filesystem::exists(target));
  expect_nothing_left();
}

TEST_F(RealCodex, PassesAPromptOfTenMegabytes) {
  model({ModelTurn::say("Read.")});
  Invocation call = invocation();
  const auto prompt = std::ranges::find(call.args, "--prompt");
  call.args.erase(prompt, prompt + 2);
  call.input = std::string(10'000'000, 'p');
  const Finished result = agentrun::testing::run(call);
  // codex has a limit of its own and says so; it must neither hang nor be cut silently.
  if (result.end().at("status") == "finished") {
    EXPECT_GT(request(0).size(), call.input.size());
  } else {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(std::string(result.end().at("detail").as_string()), Not(HasSubstr("ppp")));
  }
}

TEST_F(RealCodex, SeesAnImage) {
  // The smallest PNG: one grey pixel.
  const std::string png(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9c"
      "c`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xae"
      "B`\x82",
      67);
  stage_.root().write("pixel.png", png);
  model({ModelTurn::say("Grey.")});
  const Finished result = run({"--image", "../pixel.png"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(request(0), HasSubstr("data:image/png;base64,"));
}

TEST_F(RealCodex, ReadsNeitherTheProjectsConfigurationNorTheUsersOwn) {
  const std::string config =
      "model_instructions_file = \"/nowhere\"\ninstructions = \"SECRET-MARK\"\n"
      "developer_instructions = \"SECRET-MARK\"\n";
  for (const char* file : {"work/AGENTS.md", "work/AGENTS.override.md", "work/.codex/AGENTS.md", "home/AGENTS.md",
                           "home/.codex/AGENTS.md", "home/.codex/prompts/p.md"}) {
    stage_.root().write(file, "SECRET-MARK");
  }
  for (const char* file : {"work/.env", "home/.codex/.env"}) {
    stage_.root().write(file, "SECRET_VARIABLE=SECRET-MARK\nOPENAI_API_KEY=SECRET-MARK\n");
  }
  for (const char* directory : {"work/.codex", "work/.agents", "home/.codex", "home/.agents"}) {
    stage_.root().write(std::string(directory) + "/config.toml", config);
    stage_.root().write(std::string(directory) + "/skills/secret/SKILL.md",
                        "---\nname: secret\ndescription: SECRET-MARK\n---\nSECRET-MARK\n");
  }
  model({shell("env"), ModelTurn::say("Nothing.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(model_->requests().size(), 2U);
  EXPECT_THAT(seen_by_model(), Not(HasSubstr("SECRET-MARK")));
}

TEST_F(RealCodex, RunsNoHooksAndNoServersOfTheProject) {
  stage_.root().write("work/.codex/config.toml", "notify = [\"touch\", \"" + (stage_.outside() / "notified").native() +
                                                     "\"]\n" +
                                                     "[mcp_servers.planted]\ncommand = \"touch\"\nargs = [\"" +
                                                     (stage_.outside() / "served").native() + "\"]\n");
  stage_.root().write("work/.codex/hooks.json",
                      R"({"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch )" +
                          (stage_.outside() / "hooked").native() + R"("}]}]}})");
  model({ModelTurn::say("Done.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(stage_.outside()));
}

TEST_F(RealCodex, LeavesTheUsersHomeAsItWas) {
  stage_.root().write("home/.codex/config.toml", "# mine\n");
  model({shell("touch ~/.codex/x; echo y >> ~/.codex/config.toml"), ModelTurn::say("Done.")});
  EXPECT_EQ(run().exit_code, 0);
  std::vector<std::string> entries;
  for (const auto& entry : std::filesystem::directory_iterator(stage_.home() / ".codex")) {
    entries.push_back(entry.path().filename());
  }
  EXPECT_THAT(entries, ::testing::UnorderedElementsAre("auth.json", "config.toml"));
  EXPECT_EQ(read_file(stage_.home() / ".codex/config.toml"), "# mine\n");
}

TEST_F(RealCodex, AModelThatFailsIsAFailureWithItsText) {
  for (const auto& [status, text] : std::map<unsigned, std::string>{{401, "wrong key"}, {404, "no such model"}}) {
    model({ModelTurn::error(status, text)});
    const Finished result = run({"--model", "no-such-model"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.end().at("status"), "failed");
    EXPECT_EQ(result.end().at("exit_code"), 1);
    EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr(text));
  }
  expect_nothing_left();
}

TEST_F(RealCodex, AServiceThatIsNotThereIsAFailure) {
  model({ModelTurn::say("never")});
  Invocation call = invocation();
  model_.reset();  // nobody listens there any more
  const Finished result = agentrun::testing::run(call);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.end().at("status"), "failed");
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("Connection failed"));
}

TEST_F(RealCodex, AnArgumentThatItDoesNotKnowIsAFailure) {
  model({ModelTurn::say("never")});
  Invocation call = invocation();
  call.args.emplace_back("--no-such-option");
  const Finished result = agentrun::testing::run(call);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("--no-such-option"));
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealCodex, MayStartSubagentsUnlessTheyAreForbidden) {
  model({ModelTurn::say("Done.")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_THAT(request(0), HasSubstr("\"name\":\"spawn_agent\""));
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--no-subagents"}, {"--no-subagents", "--model", "gpt-test"}}) {
    model({ModelTurn::say("Done.")});
    EXPECT_EQ(run(options).exit_code, 0);
    EXPECT_THAT(request(0), Not(HasSubstr("spawn_agent")));
  }
}

TEST_F(RealCodex, WaitsForASubagent) {
  ModelTurn spawn = ModelTurn::call("spawn_agent", R"({"message":"SUBTASK","task_name":"helper","fork_turns":"none"})");
  model({spawn, ModelTurn::say("One of us is done."), ModelTurn::say("The other too.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.end().at("status"), "finished");
  expect_nothing_left();
}

TEST_F(RealCodex, IsRefusedWithoutALogin) {
  std::filesystem::remove(stage_.home() / ".codex/auth.json");
  model({ModelTurn::say("never")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.end().at("status"), "rejected");
  EXPECT_EQ(std::string(result.end().at("detail").as_string()),
            "codex login file " + (stage_.home() / ".codex/auth.json").native() +
                " not found. Run codex login, or pass its content in AGENTRUN_CODEX_AUTH");
  Invocation call = invocation();
  call.environment["AGENTRUN_CODEX_AUTH"] = R"({"OPENAI_API_KEY":"sk-given"})";
  EXPECT_EQ(agentrun::testing::run(call).exit_code, 0);
  EXPECT_EQ(read_file(stage_.home() / ".codex/auth.json"), R"({"OPENAI_API_KEY":"sk-given"})");
}

}  // namespace
}  // namespace agentrun::testing
