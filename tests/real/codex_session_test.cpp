// Sessions of the real codex that outlive their run, and runs at the same time.

#include <thread>

#include "codex_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(RealCodex, KeepsNoRecordUnlessItIsAskedTo) {
  model({ModelTurn::say("Done.")});
  const Finished result = run();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.end().at("session").is_null());
  EXPECT_FALSE(std::filesystem::exists(stage_.home() / ".codex/sessions"));
}

TEST_F(RealCodex, GoesOnWithASavedSession) {
  const std::string saved = (stage_.root() / "saved").native();
  model({ModelTurn::say("The word is FIRST-ANSWER.")});
  const Finished first = run({"--session-dir", saved});
  ASSERT_EQ(first.exit_code, 0) << first.err << first.out;
  const std::string id(first.end().at("session").as_string());
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(saved) / "codex" / id / "session.json"));

  const std::string target = (stage_.outside() / "o").native();
  model({shell("echo x > " + target), ModelTurn::say("Second.")});
  const Finished second = run({"--session-dir", saved, "--resume", id});
  ASSERT_EQ(second.exit_code, 0) << second.err << second.out;
  EXPECT_EQ(second.end().at("session").as_string(), id);
  EXPECT_THAT(request(0), HasSubstr("FIRST-ANSWER"));
  EXPECT_FALSE(std::filesystem::exists(target)) << "a resumed run is confined as well";
  EXPECT_EQ(second.end().at("usage").at("output_tokens"), 2 * 20) << "without what the first run used";
  EXPECT_EQ(tools_of(second).size(), 1U);

  model({ModelTurn::say("Third.")});
  EXPECT_EQ(run({"--session-dir", saved, "--resume", id}).exit_code, 0);
  EXPECT_THAT(request(0), HasSubstr("Second."));
  expect_nothing_left();
}

TEST_F(RealCodex, IsRefusedASessionThatIsNotThere) {
  model({ModelTurn::say("never")});
  const Finished result =
      run({"--session-dir", (stage_.root() / "saved").native(), "--resume", "8dd6d340-0bc8-45ec-949d-1e07c46944c1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.end().at("status"), "rejected");
  EXPECT_TRUE(model_->requests().empty());
}

TEST_F(RealCodex, EightRunsAtOnceLeaveOneWholeLoginFile) {
  constexpr int runs = 8;
  model({ModelTurn::say("Done.")});
  std::vector<Finished> results(runs);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < runs; ++i) {
      threads.emplace_back([&, i] { results[static_cast<std::size_t>(i)] = run(); });
    }
  }
  for (const Finished& result : results) {
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(result.end().at("result"), "Done.");
  }
  EXPECT_EQ(read_file(stage_.home() / ".codex/auth.json"), R"({"OPENAI_API_KEY":"sk-login-of-the-user"})");
  expect_nothing_left();
}

}  // namespace
}  // namespace agentrun::testing
