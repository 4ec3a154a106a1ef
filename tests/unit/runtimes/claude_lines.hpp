#pragma once
// Lines as claude writes them, and a translator to feed them to.

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "claude_code/translator.hpp"
#include "translation.hpp"

namespace agentrun::claude_code {

using testing::exited;
using testing::feed;
using testing::killed_by;
using testing::Records;

inline std::string assistant(std::string_view message_id, std::string_view block, std::string_view parent = "null",
                             std::string_view output = "1") {
  return R"({"type":"assistant","message":{"id":")" + std::string(message_id) +
         R"(","type":"message","role":"assistant","model":"claude-x","content":[)" + std::string(block) +
         R"(],"usage":{"input_tokens":10,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":)" +
         std::string(output) + R"(}},"parent_tool_use_id":)" + std::string(parent) + R"(,"session_id":"s"})";
}

inline std::string text(std::string_view words) { return R"({"type":"text","text":")" + std::string(words) + "\"}"; }

inline std::string call(std::string_view id, std::string_view name, std::string_view input) {
  return R"({"type":"tool_use","id":")" + std::string(id) + R"(","name":")" + std::string(name) + R"(","input":)" +
         std::string(input) + "}";
}

inline std::string result(std::string_view id, std::string_view content, std::string_view more = "",
                          std::string_view parent = "null") {
  return R"({"type":"user","message":{"role":"user","content":[{"tool_use_id":")" + std::string(id) +
         R"(","type":"tool_result","content":)" + std::string(content) + std::string(more) +
         R"(}]},"parent_tool_use_id":)" + std::string(parent) + "}";
}

inline std::string notification(std::string_view id, std::string_view status) {
  return R"({"type":"system","subtype":"task_notification","task_id":"t","tool_use_id":")" + std::string(id) +
         R"(","status":")" + std::string(status) + "\"}";
}

inline std::string last(std::string_view rest) {
  return R"({"duration_ms":1,"session_id":"s",)" + std::string(rest) + R"(,"type":"result"})";
}

inline constexpr std::string_view good = R"("is_error":false,"subtype":"success","result":"Done.","modelUsage":{})";

class ClaudeTranslation : public ::testing::Test {
 protected:
  void feed_line(std::string_view line) { feed(translator_, line, records_); }
  [[nodiscard]] std::string summary_of(std::string_view name, std::string_view input) {
    records_.clear();
    feed_line(assistant("m", call("c", name, input)));
    const auto starts = records_.of<ToolStartRecord>();
    return starts.size() == 1 ? starts[0].summary : "no record";
  }
  [[nodiscard]] std::vector<bool> denials() const {
    std::vector<bool> denied;
    for (const ToolEndRecord& end : records_.of<ToolEndRecord>()) denied.push_back(end.denied);
    return denied;
  }
  [[nodiscard]] Verdict finish(const ExitFacts& exit = exited(0)) { return translator_.finish(exit, records_); }

  Records records_;
  ClaudeTranslator translator_{{.cwd = "/w"}};
};

}  // namespace agentrun::claude_code
