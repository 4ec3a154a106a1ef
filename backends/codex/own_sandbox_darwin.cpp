#include <utility>

#include "agentrun/text.hpp"
#include "own_sandbox.hpp"

namespace agentrun::codex {

namespace {

// That absolute path only: a program of the same name in PATH could be anybody's.
constexpr const char* sandbox_exec = "/usr/bin/sandbox-exec";

}  // namespace

Result<Readiness> check_own_sandbox(CheckServices& services, const CheckRequest&) {
  const CheckRun run = services.run({sandbox_exec, "-p", "(version 1)(allow default)", "/usr/bin/true"});
  if (run.exit_code != 0) {
    return failure(ErrorCode::unavailable,
                   "sandbox-exec cannot start: " + (run.timed_out ? std::string("it did not end in time")
                                                                  : summary_line(first_line(run.error), 300)),
                   "Inside another sandbox use --sandbox off");
  }
  Readiness readiness;
  readiness.steps.push_back({"start sandbox-exec", run.duration, "ok"});
  readiness.tools.push_back({"sandbox-exec", sandbox_exec, {}});
  return readiness;
}

std::string own_sandbox_denied_text() { return "Operation not permitted"; }

StartFailureRule own_sandbox_start_failure() { return {.prefix = "sandbox-exec: ", .exit_codes = {}, .notices = {}}; }

unsigned own_sandbox_depth(NetworkAccess::Kind) { return 1; }

}  // namespace agentrun::codex
