// What a run of dsh tells and takes.

#include <csignal>

#include "dsh_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(RealDsh, WritesAFileWithItsBashToolAndTellsTheStory) {
  model({bash("echo hello > hello.txt && cat hello.txt"), ModelTurn::say("Wrote it.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "hello.txt"), "hello\n");
  std::vector<std::string> types;
  for (const json::object& event : result.events()) types.emplace_back(event.at("type").as_string());
  EXPECT_EQ(types.front(), "start");
  EXPECT_EQ(types.back(), "end");
  EXPECT_THAT(types, Contains("text"));
  EXPECT_EQ(result.events("prompt").front().at("text"), "Do it");
  const json::object tool = result.events("tool").front();
  EXPECT_EQ(tool.at("name"), "bash");
  EXPECT_EQ(tool.at("summary"), "echo hello > hello.txt && cat hello.txt");
  const json::object usage = result.events("usage").front();
  EXPECT_EQ(usage.at("model"), "deepseek-v4-flash");
  EXPECT_EQ(usage.at("input_tokens"), 37);
  EXPECT_EQ(usage.at("cache_read_tokens"), 64);
  EXPECT_EQ(result.events("network").front().at("allowed"), true);
  EXPECT_EQ(result.end().at("result"), "Wrote it.");
  EXPECT_EQ(result.end().at("exit_code"), 0);
  EXPECT_TRUE(result.end().at("session").is_null());
  EXPECT_THAT(last_request(), HasSubstr("hello"));
  EXPECT_EQ(result.err, "");
  expect_nothing_left();
}

TEST_F(RealDsh, TakesAnyPromptAndShowsItToNobodyElse) {
  for (const std::string& prompt :
       {std::string("--help"), std::string("  two\nlines \"' $(x) \xF0\x9F\x98\x80 "), std::string(300'000, 'p')}) {
    model({bash("tr '\\0' '\\n' < /proc/$PPID/cmdline"), ModelTurn::say("Yes.")});
    Invocation call = invocation({}, *model_);
    call.input = prompt;
    const Finished result = agentrun::testing::run(call);
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(result.events("prompt").front().at("text").as_string(), prompt);
    EXPECT_THAT(json::serialize(result.events("start").front().at("argv")), Not(HasSubstr(prompt.substr(0, 100))));
  }
}

TEST_F(RealDsh, PassesTheModelAndTheEffortOn) {
  model({ModelTurn::say("x")});
  EXPECT_EQ(run({"--model", "deepseek-v4-pro", "--effort", "max"}).exit_code, 0);
  EXPECT_THAT(last_request(), HasSubstr(R"("model":"deepseek-v4-pro")"));
  EXPECT_THAT(last_request(), HasSubstr(R"("reasoning_effort":"max")"));
}

TEST_F(RealDsh, SaysThatAnAnswerWasCutAtTheLimitOfTokens) {
  ModelTurn turn = ModelTurn::say("It never");
  turn.finish_reason = "length";
  model({turn});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.end().at("status"), "finished");
  EXPECT_EQ(result.end().at("result"), "It never");
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("limit of output tokens"));
}

TEST_F(RealDsh, TellsOfASubagentWithWhatItDoes) {
  model({subagent("sub job", "Write sub.txt"), bash("echo sub > sub.txt"), ModelTurn::say("Sub done."),
         ModelTurn::say("It is done.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "sub.txt"), "sub\n");
  const json::object start = result.events("subagent_start").front();
  EXPECT_EQ(start.at("kind"), "subagent");
  EXPECT_EQ(start.at("description"), "sub job");
  EXPECT_EQ(result.events("tool").size(), 1U) << "the call that starts a subagent is no tool";
  EXPECT_EQ(result.events("tool").front().at("parent"), start.at("id"));
  EXPECT_EQ(result.events("text").front().at("parent"), start.at("id"));
  const json::object end = result.events("subagent_end").front();
  EXPECT_EQ(end.at("id"), start.at("id"));
  EXPECT_EQ(end.at("status"), "finished");
  EXPECT_EQ(end.at("usage").at("output_tokens"), 40);
  EXPECT_EQ(result.end().at("result"), "It is done.");
  EXPECT_EQ(result.end().at("usage").at("output_tokens"), 80);
}

TEST_F(RealDsh, WaitsForASubagentThatTheModelWouldLetRunBehindIt) {
  model({call("subagent", {{"description", "sub job"}, {"prompt", "Write sub.txt"}}), bash("echo sub > sub.txt"),
         ModelTurn::say("Sub done."), ModelTurn::say("It is done.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "sub.txt"), "sub\n");
  EXPECT_EQ(result.events("subagent_end").front().at("status"), "finished");
}

TEST_F(RealDsh, HasNoSubagentsWhenTheyAreNotAllowed) {
  model({subagent("sub job", "Write sub.txt"), call("workflow", {{"script", "return await agent('x')"}}),
         ModelTurn::say("No.")});
  const Finished result = run({"--no-subagents"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(model_->requests().size(), 3U);
  for (const char* tool : {"subagent", "subagent_fork", "workflow", "ralph", "send_message", "list_agents"}) {
    EXPECT_THAT(model_->requests().front().body, Not(HasSubstr("\"name\":\"" + std::string(tool) + "\""))) << tool;
  }
  EXPECT_THAT(last_request(), HasSubstr("unknown tool"));
  EXPECT_EQ(result.events("subagent_end").front().at("status"), "failed");
}

TEST_F(RealDsh, HasNoToolThatReachesOtherServices) {
  model({ModelTurn::say("x")});
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_EQ(model_->requests().size(), 1U) << "a title or a search";
  EXPECT_THAT(last_request(), Not(HasSubstr("web_search")));
}

class RealDshIsolated : public RealDsh {
 protected:
  void SetUp() override {
    RealDsh::SetUp();
    for (const char* place : {"work/", "home/", "home/.dsh/", "home/.agents/", ""}) {
      const std::string directory = place;
      for (const char* file : {"AGENTS.md", "CLAUDE.md", "AGENTS.local.md"}) write(directory + file, mark);
      for (const char* tool : {"", ".dsh/", ".agents/", ".claude/"}) {
        write(directory + tool + "skills/s/SKILL.md",
              "---\nname: secret-skill\ndescription: " + std::string(mark) + "\n---\n" + mark);
        write(directory + tool + "agents/a.md", "---\nname: a\ndescription: SECRET-MARK\n---\nx");
      }
    }
    for (const char* file :
         {"work/.dsh/cordis.patch.yml", "home/.dsh/cordis.patch.yml", "home/.dsh/profiles/headless/cordis.patch.yml"}) {
      write(file, "- id: system-prompt\n  config:\n    persona: SECRET-MARK\n");
    }
    for (const char* file : {"work/.dsh/settings.yaml", "home/.dsh/settings.yaml"}) {
      write(file, "agent-default-model:\n  provider: deepseek-official\n  model: SECRET-MARK\n");
    }
    write("home/.dsh/.env", "FROM_ENV_FILE=SECRET-MARK\n");
    write("home/.dsh/.credentials.yaml", "DEEPSEEK_API_KEY: SECRET-MARK\n");
    std::filesystem::permissions(stage_.home() / ".dsh/.credentials.yaml", std::filesystem::perms::owner_read);
  }
  void write(const std::string& name, const std::string& content) const { stage_.root().write(name, content); }

  static constexpr const char* mark = "SECRET-MARK";
};

TEST_F(RealDshIsolated, ReadsNothingOfTheProjectsNorOfTheUsersOwn) {
  model({bash("echo seen: $FROM_ENV_FILE"), ModelTurn::say("Nothing.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  expect_never_sent(mark);
  expect_never_sent("secret-skill");
}

TEST_F(RealDshIsolated, ReadsNothingOfItWithoutASandboxEither) {
  model({bash("echo seen: $FROM_ENV_FILE"), ModelTurn::say("Nothing.")});
  Invocation call = invocation({"--sandbox", "off"});
  call.environment["DSH_HOME"] = (stage_.home() / ".dsh").native();
  call.environment["DSH_AGENTS_HOME"] = (stage_.home() / ".agents").native();
  const Finished result = agentrun::testing::run(call);
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  expect_never_sent(mark);
}

TEST_F(RealDshIsolated, WouldReadItWhereItsRowsAreOn) {
  // What the other tests hide is where dsh would find it.
  const auto patch =
      stage_.root().write("patch.yml",
                          "[{id: agent-instructions, disabled: false}, {id: skill, disabled: false},"
                          " {id: skill-filesystem, disabled: false}, {id: tool-skill, disabled: false}]");
  model({ModelTurn::say("All.")});
  const Finished result = run({"--", "--patch", patch.native()});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(last_request(), HasSubstr(mark));
  EXPECT_THAT(last_request(), HasSubstr("secret-skill"));
}

TEST_F(RealDsh, TakesBackWhatItReadFromTheEnvFileOfTheWorkingDirectory) {
  stage_.root().write("work/.env", "FROM_ENV_FILE=SECRET-MARK\nDEEPSEEK_API_KEY=SECRET-KEY\n");
  model({bash("echo seen: $FROM_ENV_FILE"), ModelTurn::say("Nothing.")});
  EXPECT_EQ(run().exit_code, 0);
  expect_never_sent("SECRET-MARK");

  // A stranger's key would send the conversation to the stranger's account.
  model({ModelTurn::say("never")});
  const Finished result = run({"--env", "DEEPSEEK_API_KEY="});
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_THAT(std::string(result.end().at("detail").as_string()), HasSubstr("MISSING_CREDENTIAL"));
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealDsh, SaysWhichLineOfTheEnvFileKeepsItFromStarting) {
  stage_.root().write("work/.env", "HTTPS_PROXY=http://user:SECRET@evil.invalid\n");
  model({ModelTurn::say("never")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 1) << result.out;
  const std::string detail(result.end().at("detail").as_string());
  EXPECT_THAT(detail, HasSubstr("dsh does not start where .env sets HTTPS_PROXY"));
  EXPECT_THAT(detail, Not(HasSubstr("SECRET")));
}

TEST_F(RealDsh, SavesASessionAndGoesOnWithIt) {
  const std::string saved = (stage_.root() / "saved").native();
  model({ModelTurn::say("My first answer.")});
  Finished result =
      agentrun::testing::run(invocation({"--prompt", "Remember the word heron", "--session-dir", saved}, *model_));
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const std::string id(result.end().at("session").as_string());
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(saved) / "dsh" / id / "session.json"));

  stage_.root().make("work/elsewhere");
  for (int again = 0; again < 2; ++again) {
    model({ModelTurn::say("heron")});
    result = run({"--session-dir", saved, "--resume", id, "--cwd", (stage_.work() / "elsewhere").native(), "--model",
                  "deepseek-v4-pro"});
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(result.end().at("session").as_string(), id);
    EXPECT_EQ(result.events("prompt").front().at("text"), "Do it") << "not that of the first run";
    EXPECT_EQ(result.events("usage").size(), 1U) << "nothing of the first run is told again";
    EXPECT_THAT(last_request(), HasSubstr("Remember the word heron"));
    EXPECT_THAT(last_request(), HasSubstr("My first answer."));
    EXPECT_THAT(last_request(), HasSubstr(R"("model":"deepseek-v4-pro")"));
  }
  EXPECT_FALSE(std::filesystem::exists(stage_.home() / ".dsh"));
  expect_nothing_left();
}

TEST_F(RealDsh, GoesOnWithASessionThatWasInterrupted) {
  const std::string saved = (stage_.root() / "saved").native();
  model({bash("touch started; sleep 1000")});
  Program program(invocation({"--session-dir", saved}));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(stage_.work() / "started"); }));
  program.signal(SIGTERM);
  Finished result = program.wait();
  EXPECT_EQ(result.end().at("status"), "interrupted");
  const std::string id(result.end().at("session").as_string());

  model({ModelTurn::say("Gone on.")});
  result = run({"--session-dir", saved, "--resume", id});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.end().at("result"), "Gone on.");
  EXPECT_THAT(last_request(), HasSubstr("touch started"));
}

TEST_F(RealDsh, RunsEightTimesAtOnceForOneUser) {
  struct Run {
    std::string name;
    std::unique_ptr<ModelServer> model;
    std::unique_ptr<Program> program;
  };
  std::vector<Run> runs;
  for (int i = 0; i < 8; ++i) {
    Run run;
    run.name = "file" + std::to_string(i);
    run.model = std::make_unique<ModelServer>(
        std::vector{bash("echo " + run.name + " > " + run.name), ModelTurn::say("Wrote " + run.name)});
    run.program = std::make_unique<Program>(invocation({"--prompt", "Do " + run.name}, *run.model));
    runs.push_back(std::move(run));
  }
  for (const Run& run : runs) {
    const Finished result = run.program->wait(std::chrono::seconds(120));
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(result.events("prompt").front().at("text").as_string(), "Do " + run.name);
    EXPECT_EQ(result.end().at("result").as_string(), "Wrote " + run.name);
    EXPECT_EQ(read_file(stage_.work() / run.name), run.name + "\n");
  }
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::testing
