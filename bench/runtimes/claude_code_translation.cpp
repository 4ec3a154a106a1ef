#include <string>
#include <vector>

#include "claude_code/translator.hpp"
#include "translation.hpp"

namespace {

constexpr const char* tail =
    R"(,"parent_tool_use_id":null,"session_id":"d99f2c23-b388-4cb8-8dd1-3873f2e963f5",)"
    R"("uuid":"c92fabf1-15a0-47ba-857a-3d80f7c04d23","timestamp":"2026-11-30T20:49:39.368Z","request_id":"req_1"})";

std::vector<std::string> lines_without_events() {
  return {
      R"({"type":"system","subtype":"thinking_tokens","estimated_tokens":6,"estimated_tokens_delta":6,"session_id":)"
      R"("d99f2c23-b388-4cb8-8dd1-3873f2e963f5","uuid":"b01e64df-3197-40a7-a546-bd78e944f611"})",
      std::string(R"({"type":"stream_event","event":{"index":1,"delta":{"type":"text_delta","text":)"
                  R"("I will write the file."},"type":"content_block_delta"})") +
          tail,
      R"({"type":"system","subtype":"task_progress","task_id":"a3389cde328748f81","run_id":"0mx3qwbcy-265c42c4",)"
      R"("tool_use_id":"toolu_feef77d302244658b87ac860","description":"Running make test","subagent_type":)"
      R"("general-purpose","usage":{"total_tokens":152,"tool_uses":1,"duration_ms":93},"last_tool_name":"Bash",)"
      R"("uuid":"61dcb755-c816-451c-b94a-f92a41b1c97e","session_id":"dcbc6345-b8de-43ea-89d4-b17aeae6ec8b"})",
  };
}

std::string assistant(const std::string& block) {
  return R"({"type":"assistant","message":{"id":"msg_934ecfeeb0b64291bb8bf5fa","type":"message","role":"assistant",)"
         R"("model":"claude-opus-5-5","content":[)" +
         block +
         R"(],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":100,"cache_creation_input_tokens":20,)"
         R"("cache_read_input_tokens":30,"output_tokens":1},"context_management":null})" +
         tail;
}

std::vector<std::string> lines_with_events() {
  return {
      assistant(R"({"type":"text","text":"I will write the file and then show what is in it, so that you can see )"
                R"(that it worked."})"),
      assistant(R"({"type":"tool_use","id":"toolu_3ff8119bbc8944b8864f31b5","name":"Bash","input":{"command":)"
                R"("echo hello > hello.txt && cat hello.txt","description":"Write a file"}})"),
      R"({"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_3ff8119bbc8944b8864f31b5",)"
      R"("type":"tool_result","content":"hello","is_error":false}]},"parent_tool_use_id":null,"session_id":)"
      R"("d99f2c23-b388-4cb8-8dd1-3873f2e963f5","uuid":"31f6eac8-3d39-4505-ae12-32dc7dd3ffe7","timestamp":)"
      R"("2026-11-30T20:49:39.530Z","tool_use_result":{"stdout":"hello","stderr":"","interrupted":false,"isImage":)"
      R"(false,"noOutputExpected":false},"tool_result_meta":[{"id":"toolu_3ff8119bbc8944b8864f31b5",)"
      R"("permission_decision":{"decision":"accept","source":"config","reason_type":"rule"}}]})",
  };
}

void translate(benchmark::State& state, const std::vector<std::string>& lines) {
  agentrun::bench::translate(
      state,
      [] {
        return std::make_unique<agentrun::claude_code::ClaudeTranslator>(
            agentrun::claude_code::TranslatorOptions{.cwd = "/tmp/demo"});
      },
      lines);
}

BENCHMARK_CAPTURE(translate, claude_code_no_line_becomes_an_event, lines_without_events())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate, claude_code_all_lines_become_events, lines_with_events())->Unit(benchmark::kMillisecond);

}  // namespace
