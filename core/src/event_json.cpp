#include <charconv>
#include <chrono>
#include <cstdint>
#include <iterator>

#include "agentrun/event.hpp"
#include "agentrun/text.hpp"

namespace agentrun {
namespace {

template <class Integer>
void append_number(std::string& out, Integer value) {
  char digits[24];
  const char* const end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

void append_padded(std::string& out, unsigned value, int width) {
  char digits[10];
  for (int at = width - 1; at >= 0; --at, value /= 10) digits[at] = static_cast<char>('0' + value % 10);
  out.append(digits, static_cast<std::size_t>(width));
}

void append_value(std::string& out, std::string_view value) { append_json_string(out, value); }
void append_value(std::string& out, const std::string& value) { append_json_string(out, value); }
void append_value(std::string& out, bool value) { out += value ? "true" : "false"; }
void append_value(std::string& out, int value) { append_number(out, value); }
void append_value(std::string& out, std::uint16_t value) { append_number(out, value); }
void append_value(std::string& out, std::uint64_t value) { append_number(out, value); }
void append_value(std::string& out, std::chrono::milliseconds value) { append_number(out, value.count()); }

void append_value(std::string& out, const UsageTotals& usage);

void append_value(std::string& out, const std::vector<std::string>& values) {
  char separator = '[';
  for (const std::string& value : values) {
    out += separator;
    append_json_string(out, value);
    separator = ',';
  }
  out += values.empty() ? "[]" : "]";
}

template <class Value>
void append_value(std::string& out, const std::optional<Value>& value) {
  if (value) {
    append_value(out, *value);
  } else {
    out += "null";
  }
}

/// `name` needs no escapes. Every field but the first in its object.
template <class Value>
void append_field(std::string& out, std::string_view name, const Value& value) {
  out += ",\"";
  out += name;
  out += "\":";
  append_value(out, value);
}

void append_counts(std::string& out, const TokenCounts& counts) {
  out += "\"input_tokens\":";
  append_value(out, counts.input);
  append_field(out, "output_tokens", counts.output);
  append_field(out, "cache_read_tokens", counts.cache_read);
  append_field(out, "cache_write_tokens", counts.cache_write);
}

void append_value(std::string& out, const UsageTotals& usage) {
  out += '{';
  append_counts(out, usage.total);
  out += ",\"by_model\":{";
  bool first = true;
  for (const auto& [model, counts] : usage.by_model) {
    if (!first) out += ',';
    first = false;
    append_json_string(out, model);
    out += ":{";
    append_counts(out, counts);
    out += '}';
  }
  out += "}}";
}

struct Fields {
  std::string& out;

  void operator()(const StartEvent& event) const {
    append_field(out, "runtime", event.runtime);
    append_field(out, "sandbox", event.sandbox);
    out += ",\"network\":{\"mode\":";
    append_value(out, to_string(event.network_mode));
    append_field(out, "allow", event.network_allow);
    append_field(out, "enforced", event.network_enforced);
    out += '}';
    append_field(out, "deny_read", event.deny_read);
    append_field(out, "model", event.model);
    append_field(out, "cwd", event.cwd);
    append_field(out, "argv", event.argv);
    append_field(out, "env", event.env);
  }

  void operator()(const PromptEvent& event) const { append_field(out, "text", event.text); }

  void operator()(const ToolEvent& event) const {
    append_field(out, "id", event.id);
    append_field(out, "parent", event.parent);
    append_field(out, "name", event.name);
    append_field(out, "summary", event.summary);
    append_field(out, "denied", event.denied);
  }

  void operator()(const TextEvent& event) const {
    append_field(out, "parent", event.parent);
    append_field(out, "text", event.text);
  }

  void operator()(const UsageEvent& event) const {
    append_field(out, "parent", event.parent);
    append_field(out, "model", event.model);
    out += ',';
    append_counts(out, event.tokens);
    append_field(out, "context_tokens", event.tokens.context());
  }

  void operator()(const SubagentStartEvent& event) const {
    append_field(out, "id", event.id);
    append_field(out, "parent", event.parent);
    append_field(out, "number", event.number);
    append_field(out, "kind", event.kind);
    append_field(out, "model", event.model);
    append_field(out, "description", event.description);
  }

  void operator()(const SubagentEndEvent& event) const {
    append_field(out, "id", event.id);
    append_field(out, "status", std::string_view(event.failed ? "failed" : "finished"));
    append_field(out, "duration_ms", event.duration);
    append_field(out, "usage", event.usage);
  }

  void operator()(const NoteEvent& event) const { append_field(out, "text", event.text); }

  void operator()(const NetworkEvent& event) const {
    append_field(out, "host", event.host);
    append_field(out, "port", event.port);
    append_field(out, "allowed", event.allowed);
    out += ",\"reason\":";
    if (event.reason) {
      append_value(out, to_string(*event.reason));
    } else {
      out += "null";
    }
  }

  void operator()(const EndEvent& event) const {
    append_field(out, "status", to_string(event.status));
    append_field(out, "exit_code", event.exit_code);
    append_field(out, "detail", event.detail);
    append_field(out, "duration_ms", event.duration);
    append_field(out, "usage", event.usage);
    append_field(out, "result", event.result);
    append_field(out, "session", event.session);
  }
};

}  // namespace

void append_time(std::string& out, std::chrono::system_clock::time_point time) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(milliseconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<std::chrono::milliseconds> clock(milliseconds - day);
  append_padded(out, static_cast<unsigned>(static_cast<int>(date.year())), 4);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  append_padded(out, static_cast<unsigned>(clock.hours().count()), 2);
  out += ':';
  append_padded(out, static_cast<unsigned>(clock.minutes().count()), 2);
  out += ':';
  append_padded(out, static_cast<unsigned>(clock.seconds().count()), 2);
  out += '.';
  append_padded(out, static_cast<unsigned>(clock.subseconds().count()), 3);
  out += 'Z';
}

void append_json(std::string& out, const Event& event) {
  out += "{\"schema\":";
  append_value(out, event_schema);
  append_field(out, "type", event_type(event.body));
  out += ",\"time\":\"";
  append_time(out, event.time);
  out += '"';
  std::visit(Fields{out}, event.body);
  out += '}';
}

}  // namespace agentrun
