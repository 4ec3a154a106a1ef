#pragma once
// What a real agent printed, translated and aggregated as in a run. Time and durations stay at zero.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "agentrun/aggregator.hpp"
#include "agentrun/text.hpp"
#include "temp_dir.hpp"
#include "translation.hpp"

namespace agentrun::testing {

struct Recording {
  std::vector<std::string> argv;
  std::string cwd;
  ExitFacts exit;
  std::string standard_error;
  std::string output;
};

/// Each <name>.raw.jsonl in `directory`, sorted.
inline std::vector<std::string> recording_names(const std::filesystem::path& directory) {
  constexpr std::string_view suffix = ".raw.jsonl";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(suffix)) names.push_back(name.substr(0, name.size() - suffix.size()));
  }
  std::ranges::sort(names);
  return names;
}

inline Recording load_recording(const std::filesystem::path& directory, const std::string& name) {
  Recording recording;
  simdjson::dom::parser parser;
  const simdjson::dom::element meta = parser.load((directory / (name + ".meta.json")).string());
  for (const std::string_view argument : meta["argv"].get_array()) recording.argv.emplace_back(argument);
  recording.cwd = std::string_view(meta["cwd"]);
  const int code = static_cast<int>(meta["exit_code"].get_int64());
  recording.exit = code < 0 ? killed_by(-code) : exited(code);
  recording.standard_error = std::string_view(meta["stderr"]);
  recording.output = read_file(directory / (name + ".raw.jsonl"));
  return recording;
}

/// The value of an option of the recorded command.
inline std::optional<std::string> argument_behind(const Recording& recording, std::string_view option) {
  const auto found = std::ranges::find(recording.argv, option);
  if (found == recording.argv.end()) return std::nullopt;
  return *(found + 1);
}

/// The events as JSON lines, "end" as the host makes it from the verdict.
class Replay final : public RecordSink {
 public:
  void record(Record&& record) noexcept override { aggregator_.add(std::move(record), {}, events_); }
  void stop(std::string) noexcept override {}

  std::string run(Translator& translator, const Recording& recording) {
    feed_all(translator, recording.output, *this);
    ExitFacts exit = recording.exit;
    exit.standard_error_tail = last_characters(recording.standard_error, 500);
    const Verdict verdict = translator.finish(exit, *this);
    aggregator_.close({}, events_);

    for (EventBody& event : events_) append(std::move(event));
    append(end(verdict, exit));
    return std::move(out_);
  }

 private:
  [[nodiscard]] EndEvent end(const Verdict& verdict, const ExitFacts& exit) const {
    const Aggregator::Totals totals = aggregator_.totals();
    EndEvent end;
    end.status = verdict.status == Verdict::Status::failed  ? RunStatus::failed
                 : verdict.status == Verdict::Status::limit ? RunStatus::limit
                                                            : RunStatus::finished;
    end.exit_code = exit.exit_code;
    end.detail = verdict.detail;
    if (end.status == RunStatus::failed && end.detail.empty()) end.detail = exit.standard_error_tail;
    end.usage = verdict.usage.value_or(totals.usage);
    end.result = totals.result;
    end.session = verdict.session;
    return end;
  }

  void append(EventBody&& body) {
    append_json(out_, Event{{}, std::move(body)});
    out_.push_back('\n');
  }

  Aggregator aggregator_;
  std::vector<EventBody> events_;
  std::string out_;
};

}  // namespace agentrun::testing
