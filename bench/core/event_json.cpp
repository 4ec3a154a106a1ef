// What it costs to write events, in bytes of output a second.

#include <benchmark/benchmark.h>

#include <string>

#include "agentrun/event.hpp"

namespace {

void write_event(benchmark::State& state, const agentrun::EventBody& body) {
  const agentrun::Event event{std::chrono::system_clock::time_point(std::chrono::milliseconds(1893456000123)), body};
  std::string out;
  std::size_t bytes = 0;
  for (auto _ : state) {
    out.clear();
    agentrun::append_json(out, event);
    benchmark::DoNotOptimize(out.data());
    bytes += out.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

void tool(benchmark::State& state) {
  write_event(state, agentrun::ToolEvent{"toolu_01A09q90qw90lq917835lq9", std::nullopt, "Bash",
                                         "cd build && make -j4 test 2>&1 | tail -20", false});
}

void usage(benchmark::State& state) {
  write_event(state, agentrun::UsageEvent{std::nullopt, "claude-haiku-4-5", {1203, 85, 40960, 512}});
}

void text_of_words(benchmark::State& state) {
  write_event(state, agentrun::TextEvent{std::nullopt, repeated("The quick brown fox jumps over the lazy dog. ",
                                                                static_cast<std::size_t>(state.range(0)))});
}

void text_of_code(benchmark::State& state) {
  write_event(state, agentrun::TextEvent{std::nullopt, repeated("  if (a == \"b\") {\n\treturn c;\n  }\n",
                                                                static_cast<std::size_t>(state.range(0)))});
}

void text_in_chinese(benchmark::State& state) {
  write_event(state, agentrun::TextEvent{
                         std::nullopt, repeated("敏捷的棕色狐狸跳过懒狗。", static_cast<std::size_t>(state.range(0)))});
}

BENCHMARK(tool);
BENCHMARK(usage);
BENCHMARK(text_of_words)->Arg(200)->Arg(1 << 20);
BENCHMARK(text_of_code)->Arg(200)->Arg(1 << 20);
BENCHMARK(text_in_chinese)->Arg(200)->Arg(1 << 20);

}  // namespace
