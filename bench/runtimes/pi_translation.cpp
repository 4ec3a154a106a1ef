#include <string>
#include <string_view>
#include <vector>

#include "pi/translator.hpp"
#include "translation.hpp"

namespace {

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

void translate(benchmark::State& state, const std::vector<std::string>& lines) {
  agentrun::bench::translate(
      state, [] { return std::make_unique<agentrun::pi::PiTranslator>("demo/demo-1"); }, lines);
}

BENCHMARK_CAPTURE(translate, pi_no_line_becomes_an_event, lines_without_events())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate, pi_all_lines_become_events, lines_with_events())->Unit(benchmark::kMillisecond);

}  // namespace
