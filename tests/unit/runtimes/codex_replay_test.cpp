// What real codex runs printed, translated and aggregated, against files that were read and checked by hand. Run with
// AGENTRUN_UPDATE_RECORDINGS=1 to write them anew, then read the difference.

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "codex/translator.hpp"
#include "replay.hpp"

namespace agentrun {
namespace {

const std::filesystem::path recordings = AGENTRUN_CODEX_RECORDINGS;

/// "codex exec resume … THREAD -"
std::optional<std::string> resumed(const testing::Recording& recording) {
  if (recording.argv.at(2) != "resume") return std::nullopt;
  return *(recording.argv.end() - 2);
}

class CodexReplay : public ::testing::TestWithParam<std::string> {};

TEST_P(CodexReplay, GivesTheExpectedEvents) {
  const std::filesystem::path expected = recordings / (GetParam() + ".expected.jsonl");
  const testing::Recording recording = testing::load_recording(recordings, GetParam());
  codex::CodexTranslator translator({.model = testing::argument_behind(recording, "-m"), .resume = resumed(recording)});
  const std::string events = testing::Replay().run(translator, recording);
  if (std::getenv("AGENTRUN_UPDATE_RECORDINGS") != nullptr) std::ofstream(expected, std::ios::binary) << events;
  EXPECT_EQ(events, testing::read_file(expected));
}

INSTANTIATE_TEST_SUITE_P(Recordings, CodexReplay, ::testing::ValuesIn(testing::recording_names(recordings)),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace agentrun
