#pragma once
// What it costs to translate an agent's output, in bytes of its lines a second. The goals, on one core with 200 MB of
// recorded-like lines: 0.5 GB/s when all lines become events (JSON of the events included), 1.4 GB/s when none does.

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agentrun/aggregator.hpp"
#include "agentrun/event.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::bench {

inline constexpr std::size_t stream_size = 200'000'000;

/// A stream of at least `stream_size` bytes and the padding behind it.
inline std::string stream_of(const std::vector<std::string>& lines) {
  std::string stream;
  stream.reserve(stream_size + 4096);
  while (stream.size() < stream_size) {
    for (const std::string& line : lines) {
      stream += line;
      stream += '\n';
    }
  }
  return stream;
}

/// Records become events and those JSON, as in a run with --format jsonl.
class JsonSink final : public RecordSink {
 public:
  void record(Record&& record) noexcept override {
    aggregator_.add(std::move(record), {}, events_);
    for (EventBody& body : events_) {
      out_.clear();
      append_json(out_, Event{{}, std::move(body)});
      benchmark::DoNotOptimize(out_.data());
      ++count_;
    }
    events_.clear();
  }
  void stop(std::string) noexcept override {}

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  Aggregator aggregator_;
  std::vector<EventBody> events_;
  std::string out_;
  std::uint64_t count_ = 0;
};

using MakeTranslator = std::function<std::unique_ptr<Translator>()>;

inline void translate(benchmark::State& state, const MakeTranslator& make, const std::vector<std::string>& lines) {
  const std::string stream = stream_of(lines) + std::string(Translator::line_padding, '\0');
  std::uint64_t events = 0;
  for (auto _ : state) {
    const std::unique_ptr<Translator> translator = make();
    JsonSink sink;
    std::string_view rest(stream.data(), stream.size() - Translator::line_padding);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      translator->line(rest.substr(0, end), sink);
      rest.remove_prefix(end + 1);
    }
    events = sink.count();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * (stream.size() - Translator::line_padding)));
  state.counters["events"] = static_cast<double>(events);
}

}  // namespace agentrun::bench
