// Replays what the fuzzers start from and what they have found.

#include <gtest/gtest.h>

#include "targets.hpp"
#include "temp_dir.hpp"

namespace agentrun {
namespace {

void replay(const std::string& target, void (*run)(std::string_view)) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(AGENTRUN_CORPUS) / target)) {
    SCOPED_TRACE(file.path());
    run(testing::read_file(file.path()));
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(FuzzCorpus, OfTheClaudeCodeTranslatorHolds) {
  replay("fuzz_claude_code_translator", fuzz::fuzz_claude_code_translator);
}
TEST(FuzzCorpus, OfTheCodexTranslatorHolds) { replay("fuzz_codex_translator", fuzz::fuzz_codex_translator); }
TEST(FuzzCorpus, OfTheCodexRolloutHolds) { replay("fuzz_codex_rollout", fuzz::fuzz_codex_rollout); }
TEST(FuzzCorpus, OfTheDshTranslatorHolds) { replay("fuzz_dsh_translator", fuzz::fuzz_dsh_translator); }
TEST(FuzzCorpus, OfThePiTranslatorHolds) { replay("fuzz_pi_translator", fuzz::fuzz_pi_translator); }
TEST(FuzzCorpus, OfTheDemoTranslatorHolds) { replay("fuzz_demo_translator", fuzz::fuzz_demo_translator); }

}  // namespace
}  // namespace agentrun
