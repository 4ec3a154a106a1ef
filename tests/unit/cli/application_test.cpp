#include "cli/application.hpp"

#include <gmock/gmock.h>

#include "cli/jsonl_formatter.hpp"
#include "cli/text_formatter.hpp"
#include "fake_console.hpp"

namespace agentrun::cli {
namespace {

using ::testing::HasSubstr;

/// Writes down what it is asked to do.
struct FakeEngine final : Engine {
  std::string done;
  std::vector<host::PluginListing> found;

  [[nodiscard]] std::vector<std::string> runtimes() const override { return {"demo", "echo"}; }
  [[nodiscard]] std::vector<std::filesystem::path> directories() const override { return {"/plugins"}; }
  [[nodiscard]] std::vector<host::PluginListing> plugins() const override { return found; }

  [[nodiscard]] Result<Explanation> explain(const host::ExplainOptions& options, host::FactSink&) override {
    done += "explain " + options.object;
    if (options.object == "/unknown") return failure(ErrorCode::usage, "explain knows nothing of /unknown", "Try it");
    return Explanation{options.access == host::Access::read, "the rule"};
  }
  [[nodiscard]] int run_agent(const host::RunOptions& options, host::FactSink& facts,
                              host::EventFormatter& formatter) override {
    facts.fact({"cwd", "/w"});
    done += "run " + options.runtime + ' ' + format_of(formatter);
    return 3;
  }
  [[nodiscard]] int run_command(const host::ExecOptions& options, host::FactSink& facts) override {
    facts.fact({"cwd", "/w"});
    done += "exec " + options.command.front();
    return 42;
  }
  [[nodiscard]] int run_doctor(const host::DoctorOptions& options, host::FactSink& facts,
                               host::CheckReport& report) override {
    facts.fact({"cwd", "/w"});
    done += "doctor";
    report.begin(options.runtimes);
    for (const std::string& runtime : options.runtimes) {
      report.add({runtime, "login", host::CheckResult::Status::failed, "log\nin"});
    }
    return 1;
  }
  [[nodiscard]] int reject(const std::string& detail, host::EventFormatter& formatter) override {
    done += "reject " + format_of(formatter) + ": " + detail;
    return 2;
  }

 private:
  static std::string format_of(host::EventFormatter& formatter) {
    return dynamic_cast<JsonlFormatter*>(&formatter) != nullptr ? "jsonl" : "text";
  }
};

class Application : public ::testing::Test {
 protected:
  int run(const std::vector<std::string>& words) { return run_application(words, engine_, console_); }

  FakeEngine engine_;
  FakeConsole console_;
};

TEST_F(Application, RunsAnAgentAndReturnsItsCode) {
  EXPECT_EQ(run({"echo", "--prompt", "x"}), 3);
  EXPECT_EQ(engine_.done, "run echo jsonl");
  EXPECT_EQ(console_.output, "");
}

TEST_F(Application, ShowsTextOnATerminal) {
  console_.terminal = true;
  EXPECT_EQ(run({"demo"}), 3);
  EXPECT_EQ(run({"demo", "--format=jsonl"}), 3);
  EXPECT_EQ(run({"demo", "--format", "rich"}), 3);
  EXPECT_EQ(engine_.done, "run demo textrun demo jsonlrun demo text");
}

TEST_F(Application, RunsACommandAndReturnsItsCode) {
  EXPECT_EQ(run({"exec", "--", "make"}), 42);
  EXPECT_EQ(engine_.done, "exec make");
}

TEST_F(Application, PrintsTheFactsOfADryRun) {
  EXPECT_EQ(run({"demo", "--dry-run"}), 3);
  EXPECT_EQ(run({"exec", "--dry-run", "--", "make"}), 42);
  EXPECT_EQ(console_.output, "cwd: /w\ncwd: /w\n");
}

TEST_F(Application, RejectsARunThatCannotBeParsedInTheFormatThatWasAskedFor) {
  EXPECT_EQ(run({"demo", "--format", "text", "--bogus"}), 2);
  EXPECT_EQ(engine_.done, "reject text: unknown option '--bogus'. --help lists the options");
  EXPECT_EQ(console_.output + console_.errors, "");
}

TEST_F(Application, RejectsInTheUsualFormatWithoutAValidOne) {
  EXPECT_EQ(run({"demo", "--format", "xml"}), 2);
  console_.terminal = true;
  EXPECT_EQ(run({"nothing"}), 2);
  EXPECT_THAT(engine_.done, ::testing::StartsWith("reject jsonl: invalid --format value 'xml'"));
  EXPECT_THAT(engine_.done,
              HasSubstr("reject text: unknown sub-command: no runtime plugin 'nothing' (looked in: /plugins)"));
}

TEST_F(Application, RejectsOnOneLine) {
  EXPECT_EQ(run({"demo", "--sandbox", "a\nb\x1b[2J"}), 2);
  EXPECT_EQ(engine_.done, "reject jsonl: invalid --sandbox value 'a b [2J': expected on, relax or off");
}

TEST_F(Application, RefusesExecOnStandardErrorOnly) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"exec"},
                                             {"exec", "--bogus"},
                                             {"exec", "--timeout", "0", "--", "x"},
                                             {"exec", "--format=text", "--", "x"}}) {
    console_.errors.clear();
    EXPECT_EQ(run(words), 125);
    EXPECT_THAT(console_.errors, ::testing::StartsWith("agentrun: "));
    EXPECT_EQ(console_.errors.find('\n'), console_.errors.size() - 1);
  }
  EXPECT_EQ(console_.output, "");
  EXPECT_EQ(engine_.done, "");
}

TEST_F(Application, RefusesPluginsOnStandardErrorOnly) {
  EXPECT_EQ(run({"plugins", "--bogus"}), 2);
  EXPECT_EQ(console_.errors, "agentrun: unknown option '--bogus'. --help lists the options\n");
  EXPECT_EQ(console_.output + engine_.done, "");
}

TEST_F(Application, RefusesDoctorOnStandardErrorOnly) {
  EXPECT_EQ(run({"doctor", "--bogus"}), 2);
  EXPECT_EQ(console_.errors, "agentrun: unknown option '--bogus'. --help lists the options\n");
  EXPECT_EQ(console_.output + engine_.done, "");
}

TEST_F(Application, PrintsWhatDoctorFindsAndReturnsItsCode) {
  EXPECT_EQ(run({"doctor", "--debug"}), 1);
  EXPECT_EQ(console_.output, "[fail]  demo  login       log in\n[fail]  echo  login       log in\n");
  console_.output.clear();
  EXPECT_EQ(run({"doctor", "echo", "--json"}), 1);
  EXPECT_EQ(console_.output, R"([{"runtime":"echo","check":"login","status":"fail","detail":"log\nin"}])"
                             "\n");
  EXPECT_EQ(console_.errors, "");
}

TEST_F(Application, TellsWhenNobodyCanReadWhatDoctorFinds) {
  console_.full = true;
  EXPECT_EQ(run({"doctor"}), 1);
  EXPECT_EQ(console_.errors, "agentrun: cannot write to standard output: No space left on device\n");
}

TEST_F(Application, ExplainsAndSaysAllowedByTheExitCode) {
  EXPECT_EQ(run({"explain", "--network", "full", "read", "/file"}), 0);
  EXPECT_EQ(console_.output, "allowed: the rule\n");
  EXPECT_EQ(run({"explain", "--json", "write", "/file"}), 1);
  EXPECT_THAT(console_.output, HasSubstr(R"({"allowed":false,"rule":"the rule"})"));
  EXPECT_EQ(engine_.done, "explain /fileexplain /file");
}

TEST_F(Application, RefusesAQuestionThatCannotBeAnswered) {
  EXPECT_EQ(run({"explain", "read", "/unknown"}), 2);
  EXPECT_EQ(console_.errors, "agentrun: explain knows nothing of /unknown. Try it\n");
  for (const auto& words : std::vector<std::vector<std::string>>{{"explain"},
                                                                 {"explain", "read"},
                                                                 {"explain", "execute", "/file"},
                                                                 {"explain", "read", ""},
                                                                 {"explain", "read", "/a", "/b"}}) {
    console_.errors.clear();
    EXPECT_EQ(run(words), 2);
    EXPECT_THAT(console_.errors, HasSubstr("read PATH, write PATH or connect HOST:PORT"));
  }
}

TEST_F(Application, ListsPlugins) {
  host::PluginListing listing;
  listing.name = "none";
  engine_.found = {listing};
  EXPECT_EQ(run({"plugins"}), 0);
  EXPECT_THAT(console_.output, HasSubstr("backend  none"));
  console_.output.clear();
  EXPECT_EQ(run({"plugins", "--json"}), 0);
  EXPECT_THAT(console_.output, ::testing::StartsWith("[{\"kind\":\"backend\""));
  EXPECT_EQ(console_.errors, "");
}

TEST_F(Application, SaysWherePluginsWereLookedForWhenThereAreNone) {
  EXPECT_EQ(run({"plugins"}), 0);
  EXPECT_EQ(console_.output, "");
  EXPECT_EQ(console_.errors, "agentrun: no plugins found (looked in: /plugins)\n");
  EXPECT_EQ(run({"plugins", "--json"}), 0);
  EXPECT_EQ(console_.output, "[]\n");
}

TEST_F(Application, PrintsHelpAndVersionToStandardOutput) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"--version"}, {"demo", "-h"}, {"exec", "--help"}}) {
    console_.output.clear();
    EXPECT_EQ(run(words), 0);
    EXPECT_NE(console_.output, "");
  }
  EXPECT_EQ(console_.errors + engine_.done, "");
}

TEST_F(Application, FailsWhenNobodyCanReadTheHelp) {
  console_.full = true;
  EXPECT_EQ(run({"--help"}), 1);
  EXPECT_EQ(console_.errors, "agentrun: cannot write to standard output: No space left on device\n");
}

TEST_F(Application, TellsAnInternalErrorByTheCodeOfTheSubCommand) {
  EXPECT_EQ(internal_error({"demo"}, "vector::at", console_), 1);
  EXPECT_EQ(internal_error({}, "a\nb", console_), 1);
  EXPECT_EQ(internal_error({"exec", "--", "x"}, "oops", console_), 125);
  EXPECT_EQ(console_.errors,
            "agentrun: internal error: vector::at\nagentrun: internal error: a b\nagentrun: internal error: oops\n");
}

}  // namespace
}  // namespace agentrun::cli
