// agentrun explain: every answer is held against what exec then really lets its command do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http_server.hpp"
#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

struct Question {
  std::string access;
  std::string path;
  bool allowed;
  std::string rule;  ///< part of it
};

class Explain : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] Finished explain(std::vector<std::string> options, const std::string& access,
                                 const std::string& object) const {
    options.insert(options.begin(), {"explain", "--backend", GetParam()});
    options.insert(options.end(), {access, object});
    return stage_.run(options);
  }

  [[nodiscard]] bool exec(std::vector<std::string> options, const std::string& script, const std::string& argument) {
    options.insert(options.begin(), {"exec", "--backend", GetParam()});
    options.insert(options.end(), {"--", "/bin/sh", "-c", script, "sh", argument});
    return stage_.run(options).exit_code == 0;
  }

  void check(const Question& question, const std::vector<std::string>& options = {}) {
    const Finished answer = explain(options, question.access, question.path);
    EXPECT_EQ(answer.exit_code, question.allowed ? 0 : 1) << question.access << ' ' << question.path << answer.err;
    EXPECT_THAT(answer.out, ::testing::StartsWith(question.allowed ? "allowed: " : "denied: "));
    EXPECT_THAT(answer.out, HasSubstr(question.rule));
    const std::string tried =
        question.access == "read" ? "[ -s \"$1\" ] && cat \"$1\" >/dev/null 2>&1" : ": 2>/dev/null >>\"$1\"";
    EXPECT_EQ(exec(options, tried, question.path), question.allowed)
        << "what happens: " << question.access << ' ' << question.path;
  }

  Stage stage_;
};

INSTANTIATE_TEST_SUITE_P(Backends, Explain, ::testing::Values("bwrap", "landlock"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(Explain, SaysOfPathsWhatHappens) {
  const TempDir& root = stage_.root();
  root.write("home/.ssh/id", "SECRET");
  root.write("home/notes", "notes");
  root.write("outside/file", "file");
  root.write("outside/closed/file", "file");
  root.write("work/file", "file");
  std::filesystem::create_symlink(stage_.home() / ".ssh", stage_.work() / "link");
  std::filesystem::create_symlink(stage_.outside(), stage_.work() / "out");
  const std::vector<std::string> options{"--deny-read", (stage_.outside() / "closed").native()};
  for (const Question& question :
       std::vector<Question>{{"read", (stage_.home() / "notes").native(), true, "what is not hidden can be read"},
                             {"read", (stage_.home() / ".ssh/id").native(), false,
                              "it lies in " + std::filesystem::canonical(stage_.home() / ".ssh").native()},
                             {"read", "link/id", false, "which is hidden"},
                             {"read", (stage_.outside() / "closed/file").native(), false, "which is hidden"},
                             {"read", (stage_.outside() / "closed/../file").native(), true, "what is not hidden"},
                             {"read", "file", true, "what is not hidden"},
                             {"write", "file", true, "it lies in the working directory"},
                             {"write", "new", true, "it lies in the working directory"},
                             {"write", "out/new", false, "only the working directory"},
                             {"write", (stage_.outside() / "file").native(), false, "only the working directory"},
                             {"write", "../work/new", true, "it lies in the working directory"},
                             {"write", (stage_.home() / ".ssh/new").native(), false, "which is hidden"},
                             {"write", "/etc/new", false, "only the working directory"}})
    check(question, options);
}

TEST_P(Explain, SaysOfHostsWhatHappens) {
  const HttpServer server("hello");
  const std::string place = server.authority();
  const std::string fetch =
      "python3 -c 'import sys, urllib.request; urllib.request.urlopen(\"http://\" + sys.argv[1] + \"/\")' \"$1\" "
      "2>/dev/null";
  struct Row {
    std::vector<std::string> options;
    bool allowed;
    std::string rule;
  };
  for (const Row& row : std::vector<Row>{
           {{}, false, "--network none reaches no host"},
           {{"--network", "full"}, false, "it is a private address, and --network full does not reach those"},
           {{"--network", "custom", "--allow-host", "a.test"}, false, "no --allow-host rule names it"},
           {{"--network", "custom", "--allow-host", "127.0.0.1"}, false, "no --allow-host rule names it with port"},
           {{"--network", "custom", "--allow-host", place}, true, "a rule names it"},
           {{"--sandbox", "off", "--backend", "none"}, true, "no sandbox runs"}}) {
    const Finished answer = explain(row.options, "connect", place);
    EXPECT_EQ(answer.exit_code, row.allowed ? 0 : 1) << answer.out << answer.err;
    EXPECT_THAT(answer.out, HasSubstr(row.rule));
    EXPECT_EQ(exec(row.options, fetch, place), row.allowed) << "what happens: " << row.rule;
  }
  EXPECT_THAT(explain({"--network", "custom", "--allow-host", "*.test"}, "connect", "a.test:443").out,
              HasSubstr("allowed: a wildcard rule reaches it unless one of its addresses is private"));
}

TEST_P(Explain, MakesNothingAndAnswersInJson) {
  const Finished answer = explain({"--json"}, "write", "new");
  EXPECT_EQ(boost::json::parse(answer.out).at("allowed"), true);
  EXPECT_TRUE(stage_.clean());
  EXPECT_TRUE(std::filesystem::is_empty(stage_.work()));
}

TEST_P(Explain, RefusesWhatItCannotAnswer) {
  EXPECT_EQ(explain({}, "read", "/proc/self/status").exit_code, 2);
  EXPECT_THAT(explain({}, "read", "/dev/null").err, HasSubstr("agentrun exec -- ls -l /dev/null"));
  EXPECT_THAT(explain({}, "connect", "a.test").err, HasSubstr("not a HOST:PORT"));
}

TEST_P(Explain, IsRefusedWhereExecIs) {
  const TempDir& root = stage_.root();
  root.write("work/secret/key", "SECRET");
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--cwd", "/"}, {"--deny-read", "secret"}, {"--private-tmp"}}) {
    const bool would_run = exec(options, ":", "");
    const Finished answer = explain(options, "read", "/etc/passwd");
    EXPECT_EQ(answer.exit_code == 2, !would_run) << options.front() << answer.err;
  }
}

}  // namespace
}  // namespace agentrun::testing
