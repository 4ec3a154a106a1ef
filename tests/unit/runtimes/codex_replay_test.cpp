// What real codex runs printed, translated and aggregated, against files that were read and checked by hand. Run with
// AGENTRUN_UPDATE_RECORDINGS=1 to write them anew, then read the difference.

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "agentrun/aggregator.hpp"
#include "agentrun/text.hpp"
#include "codex/translator.hpp"
#include "temp_dir.hpp"
#include "translation.hpp"

namespace agentrun {
namespace {

using testing::read_file;

const std::filesystem::path recordings = AGENTRUN_CODEX_RECORDINGS;

std::vector<std::string> recording_names() {
  constexpr std::string_view suffix = ".raw.jsonl";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(recordings)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(suffix)) names.push_back(name.substr(0, name.size() - suffix.size()));
  }
  std::ranges::sort(names);
  return names;
}

struct Recording {
  std::optional<std::string> model;
  std::optional<std::string> resume;
  ExitFacts exit;
  std::string standard_error;
  std::string output;
};

Recording load(const std::string& name) {
  Recording recording;
  simdjson::dom::parser parser;
  const simdjson::dom::element meta = parser.load((recordings / (name + ".meta.json")).string());
  std::vector<std::string> arguments;
  for (const std::string_view argument : meta["argv"].get_array()) arguments.emplace_back(argument);
  const auto model = std::ranges::find(arguments, "-m");
  if (model != arguments.end()) recording.model = *(model + 1);
  // "codex exec resume … THREAD -"
  if (arguments.at(2) == "resume") recording.resume = *(arguments.end() - 2);
  const int code = static_cast<int>(meta["exit_code"].get_int64());
  recording.exit = code < 0 ? testing::killed_by(-code) : testing::exited(code);
  recording.standard_error = std::string_view(meta["stderr"]);
  recording.output = read_file(recordings / (name + ".raw.jsonl"));
  return recording;
}

void append(std::string& out, const EventBody& body) {
  append_json(out, Event{{}, body});
  out.push_back('\n');
}

class Replay final : public RecordSink {
 public:
  void record(Record&& record) noexcept override { aggregator_.add(std::move(record), {}, events_); }
  void stop(std::string reason) noexcept override { stop_ = std::move(reason); }

  std::string run(const Recording& recording) {
    codex::CodexTranslator translator({.model = recording.model, .resume = recording.resume});
    testing::feed_all(translator, recording.output, *this);
    const Verdict verdict = translator.finish(recording.exit, *this);
    aggregator_.close({}, events_);

    std::string out;
    for (const EventBody& event : events_) append(out, event);
    const Aggregator::Totals totals = aggregator_.totals();
    EndEvent end;
    end.status = verdict.status == Verdict::Status::failed ? RunStatus::failed : RunStatus::finished;
    end.exit_code = recording.exit.exit_code;
    end.detail = verdict.detail;
    if (end.status == RunStatus::failed && end.detail.empty()) {
      end.detail = last_characters(recording.standard_error, 500);
    }
    end.usage = totals.usage;
    end.result = totals.result;
    end.session = verdict.session;
    append(out, end);
    return out;
  }

 private:
  Aggregator aggregator_;
  std::vector<EventBody> events_;
  std::string stop_;
};

class CodexReplay : public ::testing::TestWithParam<std::string> {};

TEST_P(CodexReplay, GivesTheExpectedEvents) {
  const std::filesystem::path expected = recordings / (GetParam() + ".expected.jsonl");
  const std::string events = Replay().run(load(GetParam()));
  if (std::getenv("AGENTRUN_UPDATE_RECORDINGS") != nullptr) std::ofstream(expected, std::ios::binary) << events;
  EXPECT_EQ(events, read_file(expected));
}

INSTANTIATE_TEST_SUITE_P(Recordings, CodexReplay, ::testing::ValuesIn(recording_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace agentrun
