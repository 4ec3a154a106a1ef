#include "session/session_name.hpp"

#include <gtest/gtest.h>

#include <set>

namespace agentrun::host {
namespace {

const std::string id = "0123456789abcdef";

TEST(SessionName, IsReadBack) {
  EXPECT_EQ(parse_session_name(session_directory_name(id))->entry, SessionEntry::directory);
  EXPECT_EQ(parse_session_name(session_companion_name(id, "codex"))->entry, SessionEntry::companion);
  EXPECT_EQ(parse_session_name(session_mark_name(id))->entry, SessionEntry::mark);
  EXPECT_EQ(parse_session_name(session_companion_name(id, "codex"))->id, id);
}

TEST(SessionName, IsNothingThatAUserWouldChoose) {
  for (const auto* name :
       {"agentrun", "agentrun-", "agentrun-data", "agentrun-0123456789abcde", "agentrun-0123456789abcdef0",
        "agentrun-0123456789ABCDEF", "agentrun-0123456789abcdeg", "xagentrun-0123456789abcdef",
        "agentrun-0123456789abcdef-", "agentrun-0123456789abcdef-Codex", "agentrun-0123456789abcdef-a.b",
        "agentrun-0123456789abcdef.keep", "agentrun-0123456789abcdef.kept2", "agentrun-0123456789abcdef.tar.gz"}) {
    EXPECT_FALSE(parse_session_name(name)) << name;
  }
}

TEST(SessionName, DiffersEachTime) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const auto made = random_session_id();
    ASSERT_TRUE(made);
    EXPECT_TRUE(parse_session_name(session_directory_name(*made))) << *made;
    ids.insert(*made);
  }
  EXPECT_EQ(ids.size(), 1000u);
}

}  // namespace
}  // namespace agentrun::host
