// What a run of claude tells, and what reaches the model.

#include "claude_code_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(RealClaude, WritesAFileWithItsBashToolAndTellsTheStory) {
  model({bash("echo hello > hello.txt && cat hello.txt"), ModelTurn::say("Wrote it.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(stage_.work() / "hello.txt"), "hello\n");
  std::vector<std::string> types;
  for (const json::object& event : result.events()) types.emplace_back(event.at("type").as_string());
  EXPECT_THAT(types, ElementsAre("start", "prompt", "tool", "usage", "text", "usage", "end"));
  EXPECT_EQ(result.events("start").front().at("sandbox"), "bubblewrap");
  EXPECT_EQ(result.events("prompt").front().at("text"), "Do it");
  const json::object tool = result.events("tool").front();
  EXPECT_EQ(tool.at("name"), "Bash");
  EXPECT_EQ(tool.at("summary"), "echo hello > hello.txt && cat hello.txt");
  EXPECT_EQ(tool.at("denied"), false);
  const json::object end = result.end();
  EXPECT_EQ(end.at("status"), "finished");
  EXPECT_EQ(end.at("exit_code"), 0);
  EXPECT_EQ(end.at("result"), "Wrote it.");
  EXPECT_EQ(end.at("session"), nullptr);
  EXPECT_EQ(end.at("usage").as_object().at("input_tokens"), 74);
  EXPECT_EQ(end.at("usage").as_object().at("output_tokens"), 40);
  EXPECT_EQ(end.at("usage").as_object().at("cache_read_tokens"), 128);
  expect_nothing_left();
}

TEST_F(RealClaude, ShowsNeitherThePromptNorASecretInItsCommand) {
  model({ModelTurn::say("x")});
  const Finished result = run();
  const std::string start = json::serialize(result.events("start").front());
  EXPECT_THAT(start, Not(HasSubstr("Do it")));
  EXPECT_THAT(start, Not(HasSubstr("test-key")));
  EXPECT_THAT(start, HasSubstr("ANTHROPIC_API_KEY"));
}

TEST_F(RealClaude, SummarizesFilesFromTheWorkingDirectory) {
  const std::string file = (std::filesystem::canonical(stage_.work()) / "sub/w.txt").native();
  model({call("Write", {{"file_path", file}, {"content", "one\n"}}),
         call("Edit", {{"file_path", file}, {"old_string", "one"}, {"new_string", "two"}}),
         call("Grep", {{"pattern", "two"}}), ModelTurn::say("Done.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(read_file(file), "two\n");
  std::vector<std::string> summaries;
  for (const json::object& event : result.events("tool")) summaries.emplace_back(event.at("summary").as_string());
  EXPECT_THAT(summaries, ElementsAre("sub/w.txt", "sub/w.txt", "two"));
}

TEST_F(RealClaude, SeesAnImage) {
  // The smallest PNG: one grey pixel.
  const std::string png(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x8\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9c"
      "c`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xae"
      "B`\x82",
      67);
  stage_.root().write("pixel.png", png);
  model({ModelTurn::say("Grey.")});
  const Finished result = run({"--image", "../pixel.png"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.events("prompt").front().at("text"), "Do it");
  EXPECT_THAT(last_request(), HasSubstr(R"("media_type":"image/png")"));
  EXPECT_THAT(last_request(), HasSubstr("iVBORw0KGgo"));
}

TEST_F(RealClaude, PassesTheModelAndTheEffortOn) {
  model({ModelTurn::say("x")});
  const Finished result = run({"--model", "claude-opus-4-6", "--effort", "low"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(last_request(), HasSubstr(R"("model":"claude-opus-4-6")"));
  EXPECT_THAT(last_request(), HasSubstr(R"("effort":"low")"));
}

TEST_F(RealClaude, StopsAtTheTurnLimit) {
  model({bash("echo again")});
  const Finished result = run({"--max-turns", "2"});
  EXPECT_EQ(result.exit_code, 4) << result.err << result.out;
  EXPECT_EQ(result.end().at("status"), "limit");
  EXPECT_EQ(result.end().at("detail"), "");
  EXPECT_EQ(result.events("tool").size(), 2U);
}

TEST_F(RealClaude, TellsOfASubagentWithWhatItDoes) {
  model({call("Task", {{"description", "look around"},
                       {"prompt", "list"},
                       {"subagent_type", "general-purpose"},
                       {"run_in_background", false}}),
         bash("ls"), ModelTurn::say("One file."), ModelTurn::say("It says: one file.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const json::object start = result.events("subagent_start").at(0);
  EXPECT_EQ(start.at("kind"), "general-purpose");
  EXPECT_EQ(start.at("description"), "look around");
  EXPECT_EQ(result.events("subagent_end").at(0).at("status"), "finished");
  ASSERT_EQ(result.events("tool").size(), 1U);
  EXPECT_EQ(result.events("tool")[0].at("parent"), start.at("id"));
  EXPECT_EQ(result.end().at("result"), "It says: one file.");
}

TEST_F(RealClaude, TellsOfASubagentInTheBackground) {
  // Main agent and subagent ask at the same time; both get the same answer.
  model({call("Task", {{"description", "look around"}, {"prompt", "list"}, {"subagent_type", "Explore"}}),
         ModelTurn::say("Done.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  ASSERT_EQ(result.events("subagent_start").size(), 1U);
  EXPECT_EQ(result.events("subagent_start")[0].at("kind"), "Explore");
  ASSERT_EQ(result.events("subagent_end").size(), 1U);
  EXPECT_EQ(result.events("subagent_end")[0].at("status"), "finished");
  EXPECT_TRUE(result.events("tool").empty());
  EXPECT_EQ(result.events("prompt").size(), 1U) << "the report that comes back is no prompt";
  EXPECT_EQ(result.end().at("result"), "Done.");
}

TEST_F(RealClaude, HasNoSubagentsWhenTheyAreNotAllowed) {
  model({call("Task", {{"description", "d"}, {"prompt", "p"}, {"subagent_type", "general-purpose"}}),
         ModelTurn::say("None.")});
  const Finished result = run({"--no-subagents"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(model_->requests().size(), 2U) << "no request of a subagent";
  EXPECT_THAT(model_->requests().front().body, Not(HasSubstr(R"("name":"Agent")")));
  EXPECT_THAT(model_->requests().front().body, Not(HasSubstr(R"("name":"Task")")));
  EXPECT_TRUE(result.events("subagent_start").empty());
  EXPECT_TRUE(result.events("note").empty());
}

TEST_F(RealClaude, ReadsNothingOfTheProjectsNorOfTheUsersOwn) {
  const std::string hook = (stage_.root() / "hooked").native();
  const json::object settings{
      {"env", {{"FROM_SETTINGS", "SECRET-MARK"}}},
      {"outputStyle", "SECRET-MARK"},
      {"hooks",
       {{"SessionStart", json::array{{{"hooks", json::array{{{"type", "command"},
                                                             {"command", "touch " + hook + "; echo SECRET-MARK"}}}}}}},
        {"UserPromptSubmit",
         json::array{{{"hooks", json::array{{{"type", "command"}, {"command", "touch " + hook}}}}}}}}}};
  for (const char* place : {"work/.claude/", "home/.claude/"}) {
    const std::string directory = place;
    stage_.root().write(directory + "settings.json", json::serialize(settings));
    stage_.root().write(directory + "settings.local.json", json::serialize(settings));
    stage_.root().write(directory + "CLAUDE.md", "SECRET-MARK");
    stage_.root().write(directory + "rules/r.md", "SECRET-MARK");
    stage_.root().write(directory + "output-styles/SECRET-MARK.md", "---\nname: SECRET-MARK\n---\nSECRET-MARK");
    stage_.root().write(directory + "agents/a.md", "---\nname: SECRET-MARK\ndescription: SECRET-MARK\n---\nx");
    stage_.root().write(directory + "commands/c.md", "---\ndescription: SECRET-MARK\n---\nx");
    stage_.root().write(directory + "skills/s/SKILL.md", "---\nname: SECRET-MARK\ndescription: SECRET-MARK\n---\nx");
  }
  for (const char* file :
       {"work/CLAUDE.md", "work/CLAUDE.local.md", "work/AGENTS.md", "work/sub/CLAUDE.md", "CLAUDE.md", "AGENTS.md"}) {
    stage_.root().write(file, "SECRET-MARK");
  }
  stage_.root().write("work/.env", "ANTHROPIC_API_KEY=SECRET-MARK\nFROM_SETTINGS=SECRET-MARK\n");
  stage_.root().write("work/.mcp.json",
                      R"({"mcpServers":{"SECRET-MARK":{"command":"/usr/bin/touch","args":[")" + hook + R"("]}}})");
  stage_.root().write("home/.claude.json",
                      R"({"mcpServers":{"SECRET-MARK":{"command":"/usr/bin/touch","args":[")" + hook + R"("]}}})");
  // Reading a file brings the instructions beside it, where they are read at all.
  const std::string beside = stage_.root().write("work/sub/x", "x").native();
  model({bash("echo seen: $FROM_SETTINGS"), call("Read", {{"file_path", beside}}), ModelTurn::say("Nothing.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  expect_never_sent("SECRET-MARK");
  for (const ModelRequest& request : model_->requests()) {
    EXPECT_THAT(request.headers.at("x-api-key"), HasSubstr("test-key"));
  }
  EXPECT_FALSE(std::filesystem::exists(hook)) << "a hook or a server of the project ran";

  // They are where claude would find them.
  model({ModelTurn::say("All.")});
  EXPECT_EQ(run({"--", "--setting-sources", "user,project,local"}).exit_code, 0);
  EXPECT_THAT(last_request(), HasSubstr("SECRET-MARK"));
  EXPECT_TRUE(std::filesystem::exists(hook));
}

TEST_F(RealClaude, KeepsNoMemoryBetweenRuns) {
  for (const char* sandbox : {"on", "off"}) {
    model({ModelTurn::say("x")});
    Invocation call = invocation({"--sandbox", sandbox});
    call.environment["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "0";
    EXPECT_EQ(agentrun::testing::run(call).exit_code, 0);
    EXPECT_THAT(last_request(), Not(HasSubstr("# Memory")));
    EXPECT_THAT(last_request(), Not(HasSubstr("memory directory")));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(stage_.home())) {
      EXPECT_NE(entry.path().filename(), "memory") << entry.path();
      EXPECT_NE(entry.path().extension(), ".jsonl") << "a record was kept: " << entry.path();
    }
  }
}

TEST_F(RealClaude, SavesASessionAndGoesOnWithIt) {
  const std::string saved = (stage_.root() / "saved").native();
  model({ModelTurn::say("My first answer.")});
  Finished result =
      agentrun::testing::run(invocation({"--prompt", "Remember the word heron", "--session-dir", saved}, *model_));
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const std::string id(result.end().at("session").as_string());
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(saved) / "claude-code" / id / "session.json"));

  stage_.root().make("work/elsewhere");
  model({ModelTurn::say("heron")});
  result = run({"--session-dir", saved, "--resume", id, "--cwd", (stage_.work() / "elsewhere").native()});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.end().at("session").as_string(), id);
  EXPECT_THAT(last_request(), HasSubstr("Remember the word heron"));
  EXPECT_THAT(last_request(), HasSubstr("My first answer."));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(stage_.home())) {
    EXPECT_NE(entry.path().extension(), ".jsonl") << "left with the user: " << entry.path();
  }
}

TEST_F(RealClaude, SavesTheSessionOfADirectoryWhoseNameIsTooLongForARecord) {
  const auto work = stage_.root().make("work/" + std::string(150, 'a') + "/\xC3\xA4" + std::string(100, 'b'));
  const std::string saved = (stage_.root() / "saved").native();
  model({ModelTurn::say("x")});
  const Finished result = run({"--session-dir", saved, "--cwd", work.native()});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const std::string id(result.end().at("session").as_string());
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(saved) / "claude-code" / id / "record" / (id + ".jsonl")));
}

TEST_F(RealClaude, RefusesToResumeWhatWasNotSaved) {
  model({ModelTurn::say("x")});
  for (const char* id : {"11111111-1111-4111-8111-111111111111", "not-an-id"}) {
    const Finished result = run({"--session-dir", (stage_.root() / "saved").native(), "--resume", id});
    EXPECT_EQ(result.exit_code, 2) << id;
    EXPECT_EQ(result.end().at("status"), "rejected") << id;
  }
  EXPECT_TRUE(model_->requests().empty());
}

// Each in a directory of its own: in one directory, the stand-ins that claude's sandbox makes for missing files (such
// as .claude/settings.json) and removes again get in each other's way.
TEST_F(RealClaude, RunsEightTimesAtOnceForOneUser) {
  struct Run {
    std::string name;
    std::filesystem::path cwd;
    std::unique_ptr<ModelServer> model;
    std::unique_ptr<Program> program;
  };
  std::vector<Run> runs;
  for (int i = 0; i < 8; ++i) {
    Run run;
    run.name = "file" + std::to_string(i);
    run.cwd = stage_.root().make("work/" + run.name);
    run.model = std::make_unique<ModelServer>(
        std::vector{bash("echo " + run.name + " > out"), ModelTurn::say("Wrote " + run.name)});
    run.program =
        std::make_unique<Program>(invocation({"--prompt", "Do " + run.name, "--cwd", run.cwd.native()}, *run.model));
    runs.push_back(std::move(run));
  }
  for (const Run& run : runs) {
    const Finished result = run.program->wait(std::chrono::seconds(120));
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(result.events("prompt").front().at("text").as_string(), "Do " + run.name);
    EXPECT_EQ(result.end().at("result").as_string(), "Wrote " + run.name);
    EXPECT_EQ(read_file(run.cwd / "out"), run.name + "\n");
  }
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::testing
