// What it costs to translate an agent's output, in bytes of its lines a second. The goals, on one core with 200 MB of
// recorded-like lines: 0.5 GB/s when all lines become events (JSON of the events included), 1.4 GB/s when none does.

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>
#include <vector>

#include "agentrun/aggregator.hpp"
#include "agentrun/event.hpp"
#include "pi/translator.hpp"

namespace {

constexpr std::size_t stream_size = 200'000'000;

/// A stream of at least `stream_size` bytes and the padding behind it.
std::string stream_of(const std::vector<std::string>& lines) {
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

constexpr std::string_view usage =
    R"("usage":{"input":37,"output":20,"cacheRead":64,"cacheWrite":0,"reasoning":5,"totalTokens":121,"cost":)"
    R"({"input":0.000037,"output":0.000039999999999999996,"cacheRead":0.0000064,"cacheWrite":0,"total":0.0000834}})";

std::vector<std::string> lines_without_events() {
  const std::string update = R"({"type":"message_update",)" + std::string(usage) + R"(,"assistantMessageEvent":)";
  return {
      update + R"({"type":"text_delta","contentIndex":1,"delta":"I will write the file."}})",
      update + R"({"type":"toolcall_delta","contentIndex":2,"delta":"{\"command\": \"echo hello > h\"}"}})",
      R"({"type":"tool_execution_update","toolCallId":"call_1_0","toolName":"bash","args":{"command":"make test"},)"
      R"("partialResult":{"content":[{"type":"text","text":"[ 12%] Building CXX object\n[ 13%] Building\n"}]}})",
      R"({"type":"message_end","message":{"role":"toolResult","toolCallId":"call_1_0","toolName":"bash","content":)"
      R"([{"type":"text","text":"hello\n"}],"isError":false,"durationMs":11,"timestamp":1796072352716}})",
  };
}

std::vector<std::string> lines_with_events() {
  return {
      R"({"type":"message_end","message":{"role":"assistant","content":[{"type":"thinking","thinking":)"
      R"("The user wants a file.","thinkingSignature":"reasoning_content"},{"type":"text","text":)"
      R"("I will write the file and then show what is in it, so that you can see that it worked."},)"
      R"({"type":"toolCall","id":"call_1_0","name":"bash","arguments":{"command":"echo hello && cat hello.txt"}}],)"
      R"("api":"openai-completions","provider":"demo","model":"demo-1",)" +
          std::string(usage) + R"(,"stopReason":"toolUse","timestamp":1796072352642,"responseId":"chatcmpl-1"}})",
      R"({"type":"tool_execution_start","toolCallId":"call_1_0","toolName":"bash","args":)"
      R"({"command":"echo hello > hello.txt && cat hello.txt"}})",
      R"({"type":"tool_execution_end","toolCallId":"call_1_0","toolName":"bash","result":{"content":[{"type":"text",)"
      R"("text":"hello\n"}],"structuredContent":{"output":"hello\n","truncated":false,"exit_code":0,)"
      R"("wall_time_seconds":0}},"isError":false,"durationMs":11})",
  };
}

/// Records become events and those JSON, as in a run with --format jsonl.
class JsonSink final : public agentrun::RecordSink {
 public:
  void record(agentrun::Record&& record) noexcept override {
    aggregator_.add(std::move(record), {}, events_);
    for (agentrun::EventBody& body : events_) {
      out_.clear();
      agentrun::append_json(out_, agentrun::Event{{}, std::move(body)});
      benchmark::DoNotOptimize(out_.data());
      ++count_;
    }
    events_.clear();
  }
  void stop(std::string) noexcept override {}

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  agentrun::Aggregator aggregator_;
  std::vector<agentrun::EventBody> events_;
  std::string out_;
  std::uint64_t count_ = 0;
};

void translate(benchmark::State& state, const std::vector<std::string>& lines) {
  const std::string stream = stream_of(lines) + std::string(agentrun::Translator::line_padding, '\0');
  std::uint64_t events = 0;
  for (auto _ : state) {
    agentrun::pi::PiTranslator translator("demo/demo-1");
    JsonSink sink;
    std::string_view rest(stream.data(), stream.size() - agentrun::Translator::line_padding);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      translator.line(rest.substr(0, end), sink);
      rest.remove_prefix(end + 1);
    }
    events = sink.count();
  }
  state.SetBytesProcessed(
      static_cast<std::int64_t>(state.iterations() * (stream.size() - agentrun::Translator::line_padding)));
  state.counters["events"] = static_cast<double>(events);
}

BENCHMARK_CAPTURE(translate, no_line_becomes_an_event, lines_without_events())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate, all_lines_become_events, lines_with_events())->Unit(benchmark::kMillisecond);

}  // namespace
