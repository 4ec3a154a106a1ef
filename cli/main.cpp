// agentrun: runs coding agents, or any command, inside a sandbox with a filtered network.

#include <chrono>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "agentrun/host/doctor.hpp"
#include "agentrun/host/run.hpp"
#include "cli/application.hpp"
#include "cli/caller.hpp"
#include "cli/host_engine.hpp"
#include "cli/process_console.hpp"
#include "cli/standard_descriptors.hpp"

namespace {

int start(const std::vector<std::string>& words, std::chrono::steady_clock::time_point began,
          agentrun::cli::Console& console) {
  const auto caller = agentrun::cli::read_caller();
  if (!caller) {
    const auto reject = [began](const std::string& detail, agentrun::host::EventFormatter& formatter) {
      return agentrun::host::reject(detail, began, formatter);
    };
    return agentrun::cli::refuse(words, caller.error(), reject, console);
  }
  agentrun::cli::HostEngine engine(*caller, began);
  return agentrun::cli::run_application(words, engine, console);
}

}  // namespace

int main(int argc, char** argv) {
  const auto began = std::chrono::steady_clock::now();
  // execve() allows an argument list without even the program's name.
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (!words.empty() && words.front() == agentrun::host::probe_argument) {
    return agentrun::host::run_probe({words.begin() + 1, words.end()});
  }
  agentrun::host::block_job_signals();
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  agentrun::cli::open_missing_standard_descriptors();

  agentrun::cli::ProcessConsole console;
  try {
    return start(words, began, console);
  } catch (const std::exception& error) {
    return agentrun::cli::internal_error(words, error.what(), console);
  } catch (...) {
    return agentrun::cli::internal_error(words, "unknown exception", console);
  }
}
