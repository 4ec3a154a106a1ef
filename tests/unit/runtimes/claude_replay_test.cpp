// What real runs of claude printed, against files that were read and checked by hand. Run with
// AGENTRUN_UPDATE_RECORDINGS=1 to write them anew, then read the difference.

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "claude_code/translator.hpp"
#include "replay.hpp"

namespace agentrun {
namespace {

const std::filesystem::path recordings = AGENTRUN_CLAUDE_RECORDINGS;

claude_code::TranslatorOptions options_of(const testing::Recording& recording) {
  const auto has = [&](std::string_view text) {
    return std::ranges::any_of(recording.argv,
                               [&](const std::string& argument) { return argument.find(text) != std::string::npos; });
  };
  claude_code::TranslatorOptions options;
  options.cwd = recording.cwd;
  options.subagents = has(",Task");
  options.sandboxed = has("\"sandbox\"");
  options.keeps_session = !has("--no-session-persistence");
  return options;
}

class ClaudeReplay : public ::testing::TestWithParam<std::string> {};

TEST_P(ClaudeReplay, GivesTheExpectedEvents) {
  const std::filesystem::path expected = recordings / (GetParam() + ".expected.jsonl");
  const testing::Recording recording = testing::load_recording(recordings, GetParam());
  claude_code::ClaudeTranslator translator(options_of(recording));
  const std::string events = testing::Replay().run(translator, recording);
  if (std::getenv("AGENTRUN_UPDATE_RECORDINGS") != nullptr) std::ofstream(expected, std::ios::binary) << events;
  EXPECT_EQ(events, testing::read_file(expected));
}

INSTANTIATE_TEST_SUITE_P(Recordings, ClaudeReplay, ::testing::ValuesIn(testing::recording_names(recordings)),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace agentrun
