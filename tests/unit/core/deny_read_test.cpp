#include "agentrun/deny_read.hpp"

#include <algorithm>

namespace agentrun {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

Environment session(std::initializer_list<std::pair<std::string_view, std::string_view>> variables) {
  Environment environment;
  for (const auto& [name, value] : variables) environment.set(name, value);
  return environment;
}

std::vector<std::string> defaults(const Environment& environment, std::string_view reader = "") {
  std::vector<std::string> list;
  for (const auto& path : default_denied_reads(environment, "/work", reader)) list.push_back(path.string());
  return list;
}

TEST(DefaultDeniedReads, HoldKeysCloudsLoginsAndRecordsInOrder) {
  EXPECT_THAT(
      defaults(session({{"HOME", "/h"}})),
      ElementsAre("/h/.ssh", "/h/.gnupg", "/h/.netrc", "/h/.git-credentials", "/h/.config/git/credentials",
                  "/h/.pgpass", "/h/.my.cnf", "/h/.aws", "/h/.azure", "/h/.config/gcloud", "/h/.kube",
                  "/h/.docker/config.json", "/h/.config/gh", "/h/.config/glab-cli", "/h/.config/hub", "/h/.npmrc",
                  "/h/.yarnrc.yml", "/h/.pypirc", "/h/.cargo/credentials.toml", "/h/.gem/credentials",
                  "/h/.m2/settings.xml", "/h/.gradle/gradle.properties", "/h/.terraform.d/credentials.tfrc.json",
                  "/h/.config/rclone", "/h/.config/op", "/h/.password-store", "/h/Library/Keychains",
                  "/h/Library/Cookies", "/h/.mozilla", "/h/.config/google-chrome", "/h/.config/chromium",
                  "/h/Library/Application Support/Google/Chrome", "/h/Library/Application Support/Firefox",
                  "/h/.claude/.credentials.json", "/h/.claude.json", "/h/.codex/auth.json", "/h/.pi/agent/auth.json",
                  "/h/.dsh/.env", "/h/.dsh/.credentials.yaml", "/h/.claude/projects", "/h/.claude/history.jsonl",
                  "/h/.codex/sessions", "/h/.codex/archived_sessions", "/h/.codex/history.jsonl", "/h/.dsh/sessions"));
}

TEST(DefaultDeniedReads, FollowTheDirectoriesOfTheRuntimes) {
  const auto list = defaults(session({{"HOME", "/h"},
                                      {"CLAUDE_CONFIG_DIR", "/c/"},
                                      {"CODEX_HOME", "codex"},
                                      {"PI_CODING_AGENT_DIR", "../pi"},
                                      {"DSH_HOME", "/d"}}));
  for (const std::string path :
       {"/c/.credentials.json", "/c/projects", "/c/history.jsonl", "/work/codex/auth.json", "/work/codex/sessions",
        "/work/codex/archived_sessions", "/work/codex/history.jsonl", "/pi/auth.json", "/d/.env",
        "/d/.credentials.yaml", "/d/sessions", "/h/.claude.json"}) {
    EXPECT_THAT(list, Contains(path));
  }
  EXPECT_THAT(list, Not(Contains("/h/.codex/auth.json")));
}

TEST(DefaultDeniedReads, TakeAnEmptyVariableForUnset) {
  EXPECT_EQ(defaults(session({{"HOME", "/h"}, {"CODEX_HOME", ""}})), defaults(session({{"HOME", "/h"}})));
}

TEST(DefaultDeniedReads, LeaveOutWhatIsBelowAnUnknownHome) {
  EXPECT_THAT(defaults(session({})), IsEmpty());
  EXPECT_THAT(defaults(session({{"HOME", ""}})), IsEmpty());
  EXPECT_THAT(defaults(session({{"DSH_HOME", "/d"}})), ElementsAre("/d/.env", "/d/.credentials.yaml", "/d/sessions"));
}

TEST(DefaultDeniedReads, LeavePiItsOwnLogin) {
  EXPECT_THAT(defaults(session({{"HOME", "/h"}}), "pi"), Not(Contains("/h/.pi/agent/auth.json")));
  EXPECT_THAT(defaults(session({{"HOME", "/h"}}), "dsh"), Contains("/h/.dsh/.env"));
}

TEST(DefaultDeniedReads, NameNoPathTwice) {
  auto list = defaults(session({{"HOME", "/h"}, {"CLAUDE_CONFIG_DIR", "/x"}, {"CODEX_HOME", "/x"}}));
  std::sort(list.begin(), list.end());
  EXPECT_EQ(std::adjacent_find(list.begin(), list.end()), list.end());
}

}  // namespace
}  // namespace agentrun
