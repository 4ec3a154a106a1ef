#pragma once
// A stand-in for the pi executable, so that a run meets what no real agent does on demand.

#include <string>

#include "program.hpp"

namespace agentrun::testing {

/// The lines of a good run; a fake prints them before or after its mischief.
inline constexpr const char* fake_pi_reply =
    R"({"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"go"}]}})"
    "\n"
    R"({"type":"message_start","message":{"role":"assistant","content":[],"provider":"anthropic","model":"m"}})"
    "\n"
    R"({"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Done."}],)"
    R"("provider":"anthropic","model":"m","usage":{"input":3,"output":2,"cacheRead":1,"cacheWrite":0},)"
    R"("stopReason":"stop"}})"
    "\n"
    R"({"type":"agent_end","messages":[]})"
    "\n"
    R"({"type":"agent_settled","aborted":false})"
    "\n";

/// Arguments of a run whose `pi` is a shell script; `reply` in it prints the good run. $AGENTRUN_PROBE is the probe.
class FakePi {
 public:
  explicit FakePi(const std::string& script) {
    stage_.root().write("reply.jsonl", fake_pi_reply);
    const auto file =
        stage_.root().write("bin/pi", "#!/bin/sh\nreply() { cat '" + (stage_.root() / "reply.jsonl").native() +
                                          "'; }\nPROBE='" + AGENTRUN_PROBE + "'\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  [[nodiscard]] const Stage& stage() const noexcept { return stage_; }
  [[nodiscard]] Invocation invocation(std::vector<std::string> options = {}) const {
    std::vector<std::string> args{"pi",          "--path",   (stage_.root() / "bin").native(),
                                  "--prompt",    "go",       "--model",
                                  "anthropic/m", "--format", "jsonl"};
    args.insert(args.end(), options.begin(), options.end());
    return stage_.invocation(std::move(args));
  }
  [[nodiscard]] Finished run(std::vector<std::string> options = {}) const {
    return agentrun::testing::run(invocation(std::move(options)));
  }

 private:
  Stage stage_;
};

}  // namespace agentrun::testing
