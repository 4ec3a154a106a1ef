#include <string>
#include <vector>

#include "codex/translator.hpp"
#include "translation.hpp"

namespace {

std::vector<std::string> lines_without_events() {
  return {
      R"({"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"The user wants a file, so I should )"
      R"(write it with the shell and then look at what is in it."}})",
      R"({"type":"item.updated","item":{"id":"item_1","type":"command_execution","command":"/bin/bash -c 'make test'",)"
      R"("aggregated_output":"[ 12%] Building CXX object\n[ 13%] Building\n","exit_code":null,"status":"in_progress"}})",
      R"({"type":"item.updated","item":{"id":"item_2","type":"todo_list","items":[{"text":"Read the sources",)"
      R"("completed":true},{"text":"Write the test","completed":false}]}})",
      R"({"type":"item.started","item":{"id":"item_3","type":"collab_tool_call","tool":"wait","sender_thread_id":)"
      R"("01a22e51-dd74-7e10-af0a-110363b8832a","receiver_thread_ids":[],"prompt":null,"agents_states":{},)"
      R"("status":"in_progress"}})",
  };
}

std::vector<std::string> lines_with_events() {
  return {
      R"({"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"I will write the file and then )"
      R"(show what is in it, so that you can see that it worked."}})",
      R"({"type":"item.started","item":{"id":"item_2","type":"command_execution","command":)"
      R"("/bin/bash -c 'echo hello > hello.txt && cat hello.txt'","aggregated_output":"","exit_code":null,)"
      R"("status":"in_progress"}})",
      R"({"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":)"
      R"("/bin/bash -c 'echo hello > hello.txt && cat hello.txt'","aggregated_output":"hello\n","exit_code":0,)"
      R"("status":"completed"}})",
  };
}

void translate(benchmark::State& state, const std::vector<std::string>& lines) {
  agentrun::bench::translate(
      state, [] { return std::make_unique<agentrun::codex::CodexTranslator>(agentrun::codex::TranslatorOptions{}); },
      lines);
}

BENCHMARK_CAPTURE(translate, codex_no_line_becomes_an_event, lines_without_events())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate, codex_all_lines_become_events, lines_with_events())->Unit(benchmark::kMillisecond);

}  // namespace
