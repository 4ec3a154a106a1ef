#include <string>
#include <vector>

#include "dsh/translator.hpp"
#include "translation.hpp"

namespace {

std::string event(const std::string& type, const std::string& data) {
  return R"({"type":")" + type + R"(","session":"079e3fdf-dbc9-4689-8ecf-86e169c57ee9","time":1796100156649,"data":)" +
         data + "}";
}

std::vector<std::string> lines_without_events() {
  return {
      event("step/start", R"({"turn":1,"step":1})"),
      event("agent/inbox/spliced",
            R"({"target":"next-turn","start":0,"inserted":[{"id":"a11e88fe-5516-4755-a22d-887a39b13115","role":"user",)"
            R"("source":{"kind":"user"},"content":[{"type":"text","text":"Write the file hello.txt"}]}]})"),
      event("session/title", R"({"title":"Write the file","messageSeqs":[7],"source":{"kind":"fallback"}})"),
      event("request/context",
            R"({"provider":"deepseek-official","model":"deepseek-v4-flash","contextWindow":1000000})"),
      event("step/end", R"({"turn":1,"step":1})"),
  };
}

std::vector<std::string> lines_with_events() {
  return {
      event("session/created",
            R"({"version":0,"id":"079e3fdf-dbc9-4689-8ecf-86e169c57ee9","createdAt":1796100156647,"cwd":"/tmp/demo"})"),
      event(
          "assistant/message",
          R"({"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"reasoning","text":"The user wants )"
          R"(a file."},{"type":"text","text":"I will write the file and then show what is in it, so that you can see )"
          R"(that it worked."},{"type":"tool-call","id":"call_1_0","name":"bash","arguments":"{\"description\": )"
          R"(\"run a command\", \"command\": \"echo hello > hello.txt && cat hello.txt\"}"}],"source":{"kind":"model",)"
          R"("provider":"deepseek-official","model":"deepseek-v4-flash"},"id":"118bdb4d-199d-4c33-9126-5498c21549f4"},)"
          R"("usage":{"inputTokens":37,"outputTokens":20,"cacheReadTokens":64,"reasoningTokens":5}})"),
      event("tool/call",
            R"({"turn":1,"step":1,"callId":"call_1_0","name":"bash","arguments":"{\"description\": \"run a command\", )"
            R"(\"command\": \"echo hello > hello.txt && cat hello.txt\"}"})"),
      event("tool/result",
            R"({"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"call_1_0"},"content":[{"type":)"
            R"("tool-result","toolCallId":"call_1_0","content":[{"type":"text","text":"hello\n"}],"isError":false}],)"
            R"("role":"user","id":"ee36910f-991e-45fd-9f0c-4fd1a2b9b4d5"}})"),
  };
}

void translate(benchmark::State& state, const std::vector<std::string>& lines) {
  agentrun::bench::translate(
      state, [] { return std::make_unique<agentrun::dsh::DshTranslator>("/tmp/demo"); }, lines);
}

BENCHMARK_CAPTURE(translate, dsh_no_line_becomes_an_event, lines_without_events())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(translate, dsh_all_lines_become_events, lines_with_events())->Unit(benchmark::kMillisecond);

}  // namespace
