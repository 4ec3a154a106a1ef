#include "translation.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "agentrun/aggregator.hpp"
#include "agentrun/text.hpp"
#include "targets.hpp"

namespace agentrun::fuzz {

namespace {

class Sink final : public RecordSink {
 public:
  void record(Record&& record) noexcept override {
    aggregator_.add(std::move(record), {}, events_);
    flush();
  }
  void stop(std::string reason) noexcept override { out_ += reason + "\n"; }

  std::string close() {
    aggregator_.close({}, events_);
    flush();
    return std::move(out_);
  }

 private:
  void flush() {
    for (EventBody& body : events_) {
      append_json(out_, Event{{}, std::move(body)});
      out_.push_back('\n');
    }
    events_.clear();
  }

  Aggregator aggregator_;
  std::vector<EventBody> events_;
  std::string out_;
};

}  // namespace

std::string translate(Translator& translator, std::string_view output, char padding) {
  Sink sink;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    const auto memory = std::make_unique<char[]>(line.size() + Translator::line_padding);
    std::fill_n(std::ranges::copy(line, memory.get()).out, Translator::line_padding, padding);
    translator.line({memory.get(), line.size()}, sink);
    output.remove_prefix(std::min(line.size() + 1, output.size()));
  }
  ExitFacts exit;
  exit.exit_code = 0;
  const Verdict verdict = translator.finish(exit, sink);
  require(is_utf8(verdict.detail), "the detail is UTF-8");
  std::string events = sink.close();
  append_json_string(events, verdict.detail);
  return events;
}

void check_events(std::string_view events) {
  require(is_utf8(events), "events are UTF-8");
  require(events.find('\0') == std::string_view::npos, "events have no NUL");
}

}  // namespace agentrun::fuzz
