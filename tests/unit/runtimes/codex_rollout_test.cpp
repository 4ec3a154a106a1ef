// What is read from codex's own record of a thread: the lines as codex 0.171.0 writes them, shortened.

#include "codex/rollout.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codex/rollout_file.hpp"
#include "codex/translator.hpp"
#include "temp_dir.hpp"
#include "translation.hpp"

namespace agentrun::codex {
namespace {

using ::testing::ElementsAre;
using testing::exited;
using testing::feed;
using ::testing::IsEmpty;
using testing::Records;
using testing::TempDir;

constexpr std::string_view thread_id = "01a22fcd-36ea-7853-9196-43187b9c305c";

std::string entry(std::string_view type, std::string_view payload) {
  return R"({"timestamp":"2026-12-01T04:11:47.918Z","ordinal":1,"type":")" + std::string(type) + R"(","payload":{)" +
         std::string(payload) + "}}\n";
}

std::string turn() { return entry("event_msg", R"("type":"task_started","turn_id":"t")"); }

std::string shell(std::string_view id, std::string_view command) {
  return entry("response_item", R"("type":"function_call","name":"exec_command","arguments":"{\"cmd\": \")" +
                                    std::string(command) + R"(\"}","call_id":")" + std::string(id) + "\"");
}

std::string custom(std::string_view id, std::string_view name, std::string_view input) {
  return entry("response_item", R"("type":"custom_tool_call","call_id":")" + std::string(id) + R"(","name":")" +
                                    std::string(name) + R"(","input":")" + std::string(input) + "\"");
}

std::string output(std::string_view id, std::string_view text) {
  return entry("response_item", R"("type":"function_call_output","call_id":")" + std::string(id) + R"(","output":")" +
                                    std::string(text) + "\"");
}

std::string parts(std::string_view id, std::string_view list) {
  return entry("response_item", R"("type":"custom_tool_call_output","call_id":")" + std::string(id) +
                                    R"(","output":[)" + std::string(list) + "]");
}

std::string shown(std::string_view kind, std::string_view id) {
  return entry("event_msg", R"("type":"item_completed","item":{"type":")" + std::string(kind) + R"(","id":")" +
                                std::string(id) + "\"}");
}

std::string tokens(int count) {
  const std::string number = std::to_string(count);
  return entry("event_msg", R"("type":"token_count","info":{"total_token_usage":{"input_tokens":)" + number +
                                R"(,"cached_input_tokens":0,"cache_write_input_tokens":0,"output_tokens":)" + number +
                                "}}");
}

constexpr std::string_view read_only =
    R"(Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 1\nOutput:\nsh: /x: Read-only file system\n)";

class CodexRollout : public ::testing::Test {
 protected:
  [[nodiscard]] RolloutReader read(std::string_view rollout, std::size_t turns = 1) {
    write(rollout);
    RolloutReader reader(turns);
    read_rollout(home_.path(), thread_id, [&](std::string_view line) { reader.line(line); });
    return reader;
  }
  void write(std::string_view rollout) const {
    home_.write("sessions/2026/12/01/rollout-2026-12-01T04-11-47-" + std::string(thread_id) + ".jsonl", rollout);
  }
  [[nodiscard]] std::vector<std::string> hidden(std::string_view rollout) {
    std::vector<std::string> calls;
    const RolloutReader reader = read(rollout);
    for (const RolloutTurn& turn : reader.turns()) {
      for (const RolloutCall& call : turn.calls) calls.push_back(call.name + ": " + call.summary);
    }
    return calls;
  }

  TempDir home_;
};

TEST_F(CodexRollout, KnowsACommandThatTheStreamDidNotShow) {
  const RolloutReader reader = read(turn() + shell("c", "echo x > /x") + output("c", read_only));
  ASSERT_EQ(reader.turns().size(), 1U);
  ASSERT_EQ(reader.turns()[0].calls.size(), 1U);
  const RolloutCall& call = reader.turns()[0].calls[0];
  EXPECT_EQ(call.id, "c");
  EXPECT_EQ(call.name, "shell");
  EXPECT_EQ(call.summary, "echo x > /x");
  EXPECT_TRUE(call.ended);
  EXPECT_FALSE(call.denied);
  EXPECT_FALSE(reader.turns()[0].sandbox_error.has_value());
}

TEST_F(CodexRollout, LeavesOutWhatTheStreamShowed) {
  EXPECT_THAT(hidden(turn() + shell("c", "id") + shown("CommandExecution", "c") + output("c", "x") +
                     custom("p", "apply_patch", "*** Add File: a\\n") + shown("FileChange", "p") + output("p", "x")),
              IsEmpty());
}

TEST_F(CodexRollout, KnowsCallsOfEachKind) {
  EXPECT_THAT(
      hidden(turn() + shell("a", "first\\\\nsecond") +
             entry("response_item", R"("type":"function_call","name":"shell","call_id":"b","arguments":)"
                                    R"("{\"command\":[\"bash\",\"-lc\",\"make\"]}")") +
             custom("c", "apply_patch", R"(*** Begin Patch\n*** Add File: /o\n+x\n*** Delete File: b\n)") +
             entry("response_item",
                   R"("type":"function_call","name":"mcp__files__read_it","arguments":"{}","call_id":"d")") +
             entry("response_item", R"("type":"function_call","name":"update_plan","arguments":"{}","call_id":"e")")),
      ElementsAre("shell: first", "shell: make", "patch: /o, b", "mcp: files.read_it"));
}

TEST_F(CodexRollout, MarksWhatCodexRefused) {
  const RolloutReader reader = read(
      turn() + custom("p", "apply_patch", "*** Add File: /o") +
      output("p", "patch rejected: writing outside of the project; rejected by user approval settings") +
      shell("e", "id") + output("e", "approval policy is Never; reject command — you cannot ask") +
      shell("f", "echo patch rejected: x") + output("f", R"(Process exited with code 1\nOutput:\npatch rejected: )"));
  ASSERT_EQ(reader.turns()[0].calls.size(), 3U);
  EXPECT_TRUE(reader.turns()[0].calls[0].denied);
  EXPECT_TRUE(reader.turns()[0].calls[1].denied);
  EXPECT_FALSE(reader.turns()[0].calls[2].denied);
}

TEST_F(CodexRollout, TellsAScriptOfWhichTheStreamShowedTooLittle) {
  const std::string script = R"(const r = await tools.exec_command({cmd:\"a\"});\nawait tools.apply_patch(p);)";
  const std::string text = R"({"type":"input_text","text":"Script completed"})";
  EXPECT_THAT(hidden(turn() + custom("s", "exec", script) + shown("CommandExecution", "exec-1") + parts("s", text)),
              ElementsAre(R"(exec: const r = await tools.exec_command({cmd:"a"});)"));
  EXPECT_THAT(hidden(turn() + custom("s", "exec", script) + shown("CommandExecution", "exec-1") +
                     shown("FileChange", "exec-2") + parts("s", text)),
              IsEmpty());
  EXPECT_THAT(hidden(turn() + custom("s", "exec", "text(1 + 1)") + parts("s", text)), IsEmpty());
}

TEST_F(CodexRollout, LeavesOutACallOfAToolThatDoesNotExist) {
  EXPECT_THAT(hidden(turn() +
                     entry("response_item", R"("type":"function_call","name":"shell_command","call_id":"c",)"
                                            R"("arguments":"{\"command\":\"id\"}")") +
                     output("c", "unsupported call: shell_command")),
              IsEmpty());
}

TEST_F(CodexRollout, TellsABrokenSandboxFromWhatACommandPrinted) {
  const auto error = [&](std::string_view call) { return read(turn() + std::string(call)).turns()[0].sandbox_error; };
  EXPECT_EQ(error(shell("c", "id") + output("c", R"(Process exited with code 1\nOutput:\nbwrap: no uid map\n)")),
            "bwrap: no uid map");
  EXPECT_EQ(error(shell("c", "id") + output("c", R"(Process exited with code 101\nOutput:\n\nthread 'main' (7) )"
                                                 R"(panicked at linux-sandbox/src/launcher.rs:68:13:\nno bwrap\n)")),
            "no bwrap");
  EXPECT_EQ(error(shell("c", "id") + output("c", R"(Process exited with code 0\nOutput:\nbwrap: a log\n)")),
            std::nullopt);
  EXPECT_EQ(error(shell("c", "id") + output("c", read_only)), std::nullopt);
  EXPECT_EQ(error(custom("s", "exec", "await tools.exec_command({})") +
                  parts("s", R"({"text":"Script completed\nOutput:\n"},)"
                             R"({"text":"{\"exit_code\":1,\"output\":\"bwrap: execvp\\n\"}"})")),
            "bwrap: execvp");
  EXPECT_EQ(error(custom("s", "exec", "await tools.exec_command({})") +
                  parts("s", R"({"text":"{\"exit_code\":0,\"output\":\"bwrap: execvp\\n\"}"})")),
            std::nullopt);
}

TEST_F(CodexRollout, KeepsTheTurnsOfThisRunOnly) {
  const std::string rollout = turn() + shell("old", "old") + output("old", read_only) + tokens(100) + turn() +
                              shell("new", "new") + output("new", read_only) + tokens(150);
  const RolloutReader last = read(rollout, 1);
  ASSERT_EQ(last.turns().size(), 1U);
  EXPECT_EQ(last.turns()[0].calls.at(0).id, "new");
  EXPECT_EQ(last.turns()[0].tokens_before.input, 100U);
  EXPECT_EQ(last.tokens().output, 150U);
  EXPECT_THAT(read(rollout, 0).turns(), IsEmpty());
}

TEST_F(CodexRollout, IgnoresJunk) {
  EXPECT_THAT(hidden("\n\nnull\n{}\n{\"payload\":7}\n" + entry("response_item", R"("type":"function_call")") + turn() +
                     "\xFF\n" + entry("response_item", R"("type":"function_call_output")") +
                     entry("event_msg", R"("type":"token_count","info":null)") +
                     entry("event_msg", R"("type":"item_completed")") + std::string(100000, '[') + "\n" +
                     shell("c", "cut").substr(0, 90)),
              IsEmpty());
}

TEST_F(CodexRollout, ReadsLinesLongerThanItsBuffer) {
  const std::string noise = entry("response_item", R"("type":"message","text":")" + std::string(3'000'000, 'x') + "\"");
  EXPECT_THAT(hidden(noise + turn() + noise + shell("c", "id") + noise + output("c", read_only)),
              ElementsAre("shell: id"));
}

TEST_F(CodexRollout, LeavesALineOutThatIsTooLong) {
  const std::string noise =
      entry("response_item", R"("type":"message","text":")" + std::string(20'000'000, 'x') + "\"");
  EXPECT_THAT(hidden(turn() + noise + shell("c", "id") + output("c", read_only)), ElementsAre("shell: id"));
}

class CodexRolloutFile : public CodexRollout {
 protected:
  [[nodiscard]] std::size_t lines(std::string_view thread = thread_id) const {
    std::size_t count = 0;
    read_rollout(home_.path(), thread, [&](std::string_view) { ++count; });
    return count;
  }
};

TEST_F(CodexRolloutFile, ReadsTheThreadsOwn) {
  write("1\n2\nwithout an end");
  home_.write("sessions/2026/11/30/rollout-2026-11-30T01-01-01-ffffffff-0000-0000-0000-000000000000.jsonl", "1\n");
  EXPECT_EQ(lines(), 2U);
  EXPECT_EQ(lines("00000000-0000-0000-0000-000000000000"), 0U);
}

TEST_F(CodexRolloutFile, FollowsNoLink) {
  const TempDir elsewhere;
  const auto file = elsewhere.write("2026/rollout-" + std::string(thread_id) + ".jsonl", "secret\n");
  home_.make("sessions");
  std::filesystem::create_symlink(file, home_ / ("sessions/rollout-" + std::string(thread_id) + ".jsonl"));
  std::filesystem::create_directory_symlink(elsewhere / "2026", home_ / "sessions/2026");
  EXPECT_EQ(lines(), 0U);
  std::filesystem::remove_all(home_ / "sessions");
  std::filesystem::create_directory_symlink(elsewhere.path(), home_ / "sessions");
  EXPECT_EQ(lines(), 0U);
}

TEST_F(CodexRolloutFile, IsNotHeldUpByAFifo) {
  home_.make("sessions");
  ASSERT_EQ(::mkfifo((home_ / ("sessions/rollout-" + std::string(thread_id) + ".jsonl")).c_str(), 0600), 0);
  EXPECT_EQ(lines(), 0U);
}

TEST_F(CodexRolloutFile, TakesNoPathForAThread) {
  home_.write("sessions/rollout-x/../y.jsonl", "1\n");
  home_.write("sessions/rollout-.jsonl", "1\n");
  for (const char* thread : {"", "../y", "y", "*"}) EXPECT_EQ(lines(thread), 0U) << thread;
}

TEST_F(CodexRolloutFile, IsNoFailureWhenItIsNotThere) {
  EXPECT_EQ(lines(), 0U);
  read_rollout(home_ / "nothing", thread_id, [](std::string_view) { FAIL(); });
}

/// The translator with a rollout at hand.
class CodexHidden : public CodexRollout {
 protected:
  void start(TranslatorOptions options = {}) {
    options.home = home_.path();
    translator_.emplace(std::move(options));
    line(R"({"type":"thread.started","thread_id":")" + std::string(thread_id) + "\"}");
    line(R"({"type":"turn.started"})");
  }
  void line(std::string_view line) { feed(*translator_, line, records_); }
  void completed(int count) {
    line(R"({"type":"turn.completed","usage":{"input_tokens":)" + std::to_string(count) +
         R"(,"cached_input_tokens":0,"cache_write_input_tokens":0,"output_tokens":)" + std::to_string(count) + "}}");
  }
  Verdict finish(int code = 0) { return translator_->finish(exited(code), records_); }

  std::optional<CodexTranslator> translator_;
  Records records_;
};

TEST_F(CodexHidden, CallsAreToldAtTheEnd) {
  write(turn() + shell("c", "echo x > /x") + output("c", read_only) + custom("p", "apply_patch", "*** Add File: /o") +
        output("p", "patch rejected: writing outside of the project"));
  start();
  completed(5);
  EXPECT_THAT(records_.of<ToolStartRecord>(), IsEmpty());
  EXPECT_EQ(finish().status, Verdict::Status::finished);
  const auto starts = records_.of<ToolStartRecord>();
  const auto ends = records_.of<ToolEndRecord>();
  ASSERT_EQ(starts.size(), 2U);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(starts[0].id, "c");
  EXPECT_EQ(starts[0].summary, "echo x > /x");
  EXPECT_FALSE(ends[0].denied);
  EXPECT_EQ(ends[1].id, "p");
  EXPECT_TRUE(ends[1].denied);
}

TEST_F(CodexHidden, CommandsThatStillRunAreToldOnce) {
  write(turn() + shell("c", "sleep 100") + output("c", R"(Process running with session ID 1\nOutput:\n)"));
  start();
  line(R"({"type":"item.started","item":{"id":"item_0","type":"command_execution",)"
       R"("command":"/bin/bash -c 'sleep 100'","status":"in_progress"}})");
  completed(5);
  finish();
  ASSERT_EQ(records_.of<ToolStartRecord>().size(), 1U);
  EXPECT_EQ(records_.of<ToolStartRecord>()[0].id, "item_0");
}

TEST_F(CodexHidden, SandboxFailuresAreFailures) {
  write(turn() + shell("c", "id") + output("c", R"(Process exited with code 1\nOutput:\nbwrap: no uid map\n)"));
  start();
  completed(5);
  EXPECT_EQ(finish().detail, "sandbox failed to start: bwrap: no uid map");
  start({.sandboxed = false});
  completed(5);
  EXPECT_EQ(finish().status, Verdict::Status::finished);
}

TEST_F(CodexHidden, TokensOfAFailedTurnAreCounted) {
  write(turn() + tokens(70));
  start();
  line(R"({"type":"turn.failed","error":{"message":"no"}})");
  finish(1);
  ASSERT_EQ(records_.of<UsageRecord>().size(), 1U);
  EXPECT_EQ(records_.of<UsageRecord>()[0].tokens.input, 70U);
}

TEST_F(CodexHidden, TokensOfAnAnswerAreCountedBeforeItsCallsHaveEnded) {
  const std::string answer = entry("token_usage_record", R"("usage":{"input_tokens":9,"cached_input_tokens":4,)"
                                                         R"("cache_write_input_tokens":0,"output_tokens":2})");
  write(turn() + answer + tokens(70) + answer);
  start();
  finish(1);
  EXPECT_EQ(records_.of<UsageRecord>().at(0).tokens, (TokenCounts{75, 72, 4, 0}));
}

TEST_F(CodexHidden, TokensOfEarlierRunsAreNotCountedAgain) {
  write(turn() + tokens(100) + turn() + tokens(130));
  start({.resume = std::string(thread_id)});
  completed(130);
  finish();
  ASSERT_EQ(records_.of<UsageRecord>().size(), 1U);
  EXPECT_EQ(records_.of<UsageRecord>()[0].tokens, (TokenCounts{30, 30, 0, 0}));
}

TEST_F(CodexHidden, TokensOfAnInterruptedTurnAreThoseSinceTheResume) {
  write(turn() + tokens(100) + turn() + tokens(130));
  start({.resume = std::string(thread_id)});
  finish(1);
  EXPECT_EQ(records_.of<UsageRecord>().at(0).tokens, (TokenCounts{30, 30, 0, 0}));
}

}  // namespace
}  // namespace agentrun::codex
