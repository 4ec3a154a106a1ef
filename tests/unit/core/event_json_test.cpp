#include <limits>

#include "agentrun/event.hpp"

namespace agentrun {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr const char* when = "2030-01-01T00:00:00.123Z";

std::string json(EventBody body,
                 system_clock::time_point time = system_clock::time_point(milliseconds(1893456000123))) {
  std::string out;
  append_json(out, Event{time, std::move(body)});
  return out;
}

std::string line(const std::string& type, const std::string& fields) {
  return R"({"schema":1,"type":")" + type + R"(","time":")" + when + "\"," + fields + "}";
}

std::string time_of(std::int64_t milliseconds_since_1970) {
  const std::string out = json(NoteEvent{}, system_clock::time_point(milliseconds(milliseconds_since_1970)));
  return out.substr(out.find("\"time\":") + 8, 24);
}

TEST(EventJson, WritesStart) {
  StartEvent event;
  event.runtime = "pi";
  event.sandbox = "bubblewrap";
  event.network_mode = NetworkMode::custom;
  event.network_allow = {"a.test", "*.b.test:8443"};
  event.network_enforced = true;
  event.deny_read = {"/h/.ssh"};
  event.cwd = "/w \"x\"";
  event.argv = {"pi", "--mode", "json"};
  EXPECT_EQ(json(event), line("start", R"("runtime":"pi","sandbox":"bubblewrap","network":{"mode":"custom",)"
                                       R"("allow":["a.test","*.b.test:8443"],"enforced":true},"deny_read":["/h/.ssh"],)"
                                       R"("model":null,"cwd":"/w \"x\"","argv":["pi","--mode","json"],"env":[])"));
  event.model = "m/x";
  event.env = {"A", "B"};
  EXPECT_THAT(json(event), ::testing::HasSubstr(R"("model":"m/x")"));
  EXPECT_THAT(json(event), ::testing::EndsWith(R"("env":["A","B"]})"));
}

TEST(EventJson, WritesPromptTextAndNote) {
  EXPECT_EQ(json(PromptEvent{"a\nb"}), line("prompt", R"("text":"a\nb")"));
  EXPECT_EQ(json(TextEvent{std::nullopt, "x"}), line("text", R"("parent":null,"text":"x")"));
  EXPECT_EQ(json(TextEvent{"p", "x"}), line("text", R"("parent":"p","text":"x")"));
  EXPECT_EQ(json(NoteEvent{"x"}), line("note", R"("text":"x")"));
}

TEST(EventJson, WritesTool) {
  EXPECT_EQ(json(ToolEvent{"1", std::nullopt, "Bash", "make", false}),
            line("tool", R"("id":"1","parent":null,"name":"Bash","summary":"make","denied":false)"));
  EXPECT_EQ(json(ToolEvent{"1", "p", "Bash", "make", true}),
            line("tool", R"("id":"1","parent":"p","name":"Bash","summary":"make","denied":true)"));
}

TEST(EventJson, WritesUsage) {
  EXPECT_EQ(json(UsageEvent{"p", "m", {1, 2, 3, 4}}),
            line("usage", R"("parent":"p","model":"m","input_tokens":1,"output_tokens":2,"cache_read_tokens":3,)"
                          R"("cache_write_tokens":4,"context_tokens":8)"));
  EXPECT_EQ(json(UsageEvent{std::nullopt, std::nullopt, {1, std::nullopt, 3, std::nullopt}}),
            line("usage", R"("parent":null,"model":null,"input_tokens":1,"output_tokens":null,"cache_read_tokens":3,)"
                          R"("cache_write_tokens":null,"context_tokens":null)"));
}

TEST(EventJson, WritesSubagents) {
  EXPECT_EQ(json(SubagentStartEvent{"i", std::nullopt, 2, "Explore", "haiku", "look"}),
            line("subagent_start",
                 R"("id":"i","parent":null,"number":2,"kind":"Explore","model":"haiku","description":"look")"));
  SubagentEndEvent end;
  end.id = "i";
  end.duration = milliseconds(12400);
  end.usage.add("m", {1, 2, std::nullopt, 4});
  EXPECT_EQ(json(end),
            line("subagent_end", R"("id":"i","status":"finished","duration_ms":12400,"usage":{"input_tokens":1,)"
                                 R"("output_tokens":2,"cache_read_tokens":null,"cache_write_tokens":4,"by_model":{"m":)"
                                 R"({"input_tokens":1,"output_tokens":2,"cache_read_tokens":null,)"
                                 R"("cache_write_tokens":4}}})"));
  end.failed = true;
  EXPECT_THAT(json(end), ::testing::HasSubstr(R"("status":"failed")"));
}

TEST(EventJson, WritesNetwork) {
  EXPECT_EQ(json(NetworkEvent{"a.test", 443, true, std::nullopt}),
            line("network", R"("host":"a.test","port":443,"allowed":true,"reason":null)"));
  EXPECT_EQ(json(NetworkEvent{"[::1]", 65535, false, DenyReason::private_address}),
            line("network", R"("host":"[::1]","port":65535,"allowed":false,"reason":"private_address")"));
}

TEST(EventJson, WritesEnd) {
  EndEvent event;
  event.status = RunStatus::rejected;
  event.detail = "no prompt";
  const std::string nothing_known =
      R"("usage":{"input_tokens":null,"output_tokens":null,"cache_read_tokens":null,"cache_write_tokens":null,)"
      R"("by_model":{}})";
  EXPECT_EQ(json(event), line("end", R"("status":"rejected","exit_code":null,"detail":"no prompt","duration_ms":0,)" +
                                         nothing_known + R"(,"result":null,"session":null)"));
  event.status = RunStatus::finished;
  event.exit_code = 0;
  event.detail.clear();
  event.duration = milliseconds(31300);
  event.result = "done";
  event.session = "s1";
  EXPECT_EQ(json(event), line("end", R"("status":"finished","exit_code":0,"detail":"","duration_ms":31300,)" +
                                         nothing_known + R"(,"result":"done","session":"s1")"));
}

TEST(EventJson, SeparatesModels) {
  EndEvent event;
  event.usage.add("b", {std::numeric_limits<std::uint64_t>::max(), {}, {}, {}});
  event.usage.add("a\"", {1, {}, {}, {}});
  EXPECT_THAT(json(event), ::testing::HasSubstr(R"("by_model":{"a\"":{"input_tokens":1,)"));
  EXPECT_THAT(json(event),
              ::testing::HasSubstr(R"("cache_write_tokens":null},"b":{"input_tokens":18446744073709551615,)"));
}

TEST(EventJson, NamesEveryStatus) {
  const std::pair<RunStatus, std::string_view> names[] = {
      {RunStatus::finished, "finished"}, {RunStatus::failed, "failed"}, {RunStatus::rejected, "rejected"},
      {RunStatus::timeout, "timeout"},   {RunStatus::limit, "limit"},   {RunStatus::interrupted, "interrupted"}};
  for (const auto& [status, name] : names) EXPECT_EQ(to_string(status), name);
}

TEST(EventJson, WritesTimesInUtcWithMilliseconds) {
  EXPECT_EQ(time_of(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(time_of(951827696789), "2000-02-29T12:34:56.789Z");
  EXPECT_EQ(time_of(4102444799999), "2099-12-31T23:59:59.999Z");
  EXPECT_EQ(time_of(-1), "1969-12-31T23:59:59.999Z");
}

TEST(EventJson, CutsTimesBelowAMillisecond) {
  using std::chrono::microseconds;
  const auto time = system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(microseconds(1999)));
  EXPECT_THAT(json(NoteEvent{}, time), ::testing::HasSubstr("1970-01-01T00:00:00.001Z"));
}

TEST(EventJson, IsOneLineOfUtf8WhateverTheRuntimePrints) {
  std::string junk;
  for (int c = 0; c < 256; ++c) junk += static_cast<char>(c);
  const std::string out = json(ToolEvent{junk, junk, junk, junk, false});
  EXPECT_EQ(out.find('\n'), std::string::npos);
  EXPECT_EQ(out.find('\xFF'), std::string::npos);
  EXPECT_EQ(out.find('\0'), std::string::npos);
}

TEST(EventJson, Appends) {
  std::string out = "x";
  append_json(out, Event{{}, NoteEvent{"y"}});
  append_json(out, Event{{}, NoteEvent{"z"}});
  EXPECT_EQ(out.substr(0, 2), "x{");
  EXPECT_THAT(out, ::testing::HasSubstr("}{"));
}

}  // namespace
}  // namespace agentrun
