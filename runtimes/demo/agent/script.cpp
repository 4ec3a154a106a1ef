#include "script.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace demo {

namespace {

std::string_view cut_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view cut_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool is_number(std::string_view text, unsigned largest) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value <= largest;
}

bool is_complete(const Step& step) {
  if (step.command == "sleep") return is_number(step.argument, 3600);
  if (step.command == "exit") return is_number(step.argument, 255);
  return !step.argument.empty();
}

std::string variable(const char* name, std::string fallback = {}) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : fallback;
}

}  // namespace

bool is_script(std::string_view prompt) { return cut_line(prompt) == "#demo"; }

std::vector<Step> parse_script(std::string_view text) {
  constexpr std::string_view commands[] = {"write", "read", "fetch", "say", "sleep", "exit"};
  std::vector<Step> steps;
  for (unsigned number = 1; !text.empty(); ++number) {
    std::string_view line = cut_line(text);
    if (line.empty() || line.starts_with('#')) continue;
    Step step;
    step.command = cut_word(line);
    step.argument = step.command == "write" ? cut_word(line) : line;
    if (step.command == "write") step.text = line;
    if (std::ranges::find(commands, step.command) == std::end(commands) || !is_complete(step)) {
      throw ScriptError{"line " + std::to_string(number) +
                        ": expected write PATH TEXT, read PATH, fetch URL, say TEXT, sleep SECONDS or exit CODE"};
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<Step> built_in_script() {
  std::vector<Step> steps = {
      {"say", "I will try what a coding agent could do, and tell you what works.", ""},
      {"write", "agentrun-demo.txt", "written by the demo agent"},
      {"write", variable("DEMO_OUTSIDE", "../agentrun-demo-outside.txt"), "written outside the working directory"},
  };
  const std::string secret = variable("DEMO_SECRET");
  if (!secret.empty()) steps.push_back({"read", secret, ""});
  const std::string allowed = variable("DEMO_ALLOWED_URL");
  if (!allowed.empty()) steps.push_back({"fetch", allowed, ""});
  steps.push_back({"fetch", variable("DEMO_REFUSED_URL", "http://refused.test/"), ""});
  return steps;
}

}  // namespace demo
