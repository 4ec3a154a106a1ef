// A scripted agent without a model: it reads a prompt from standard input, takes its steps one after another, and
// reports each as a line of JSON on standard output:
//
//   {"type":"prompt","text":"…"}
//   {"type":"call","id":"1","tool":"write","about":"PATH"}       a step begins
//   {"type":"result","id":"1","ok":false,"detail":"Read-only file system"}
//   {"type":"text","text":"…"}
//
// A step that fails does not end it. The exit code is 0, what the script's exit says, or 2 for a bad script.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "agentrun/text.hpp"
#include "fetch.hpp"
#include "files.hpp"
#include "script.hpp"

namespace demo {

namespace {

std::string quoted(std::string_view text) {
  std::string out;
  agentrun::append_json_string(out, text);
  return out;
}

/// Each line at once: whoever reads wants to see what is going on.
void report(const std::string& line) { std::cout << line << std::endl; }

void say(const std::string& text) { report(R"({"type":"text","text":)" + quoted(text) + "}"); }

Outcome take(const Step& step) {
  if (step.command == "write") return write_file(step.argument, step.text);
  if (step.command == "read") return read_file(step.argument);
  if (step.command == "fetch") return fetch(step.argument);
  std::this_thread::sleep_for(std::chrono::seconds(std::stoi(step.argument)));
  return {true, "done"};
}

/// Takes all steps and returns what it saw, a line a step.
std::string run(const std::vector<Step>& steps) {
  std::string seen;
  int number = 0;
  for (const Step& step : steps) {
    if (step.command == "say") {
      say(step.argument);
      continue;
    }
    if (step.command == "exit") std::exit(std::stoi(step.argument));
    const std::string id = quoted(std::to_string(++number));
    report(R"({"type":"call","id":)" + id + R"(,"tool":)" + quoted(step.command) + R"(,"about":)" +
           quoted(step.argument) + "}");
    const Outcome outcome = take(step);
    report(R"({"type":"result","id":)" + id + R"(,"ok":)" + (outcome.ok ? "true" : "false") + R"(,"detail":)" +
           quoted(outcome.detail) + "}");
    seen += "\n" + step.command + " " + step.argument + (outcome.ok ? " worked: " : " failed: ") + outcome.detail;
  }
  return seen;
}

}  // namespace

}  // namespace demo

int main() {
  const std::string prompt{std::istreambuf_iterator<char>(std::cin), {}};
  demo::report(R"({"type":"prompt","text":)" + demo::quoted(prompt) + "}");
  try {
    if (demo::is_script(prompt)) {
      (void)demo::run(demo::parse_script(prompt));
    } else {
      demo::say("This is what I saw:" + demo::run(demo::built_in_script()));
    }
  } catch (const demo::ScriptError& error) {
    std::cerr << "agentrun-demo-agent: " << error.message << '\n';
    return 2;
  }
}
