#include "doctor/executable_check.hpp"

#include <unistd.h>

#include "agentrun/text.hpp"
#include "doctor/version.hpp"

namespace agentrun::host {
namespace {

std::string install_remedy(const RuntimeTraits& traits, const char* verb) {
  return traits.install_command.empty() ? std::string(verb) + " it"
                                        : std::string(verb) + " it: " + traits.install_command;
}

Finding not_found(const Examinee& examinee, Error error) {
  if (error.code == ErrorCode::not_found) {
    error.hint = install_remedy(examinee.traits, "Install") + ", or give its directory with --path DIR";
  }
  return failed(error);
}

/// The program that a plugin brings along is known to its plan alone.
Result<std::filesystem::path> planned_executable(const Examinee& examinee, const Scratch& scratch,
                                                 CheckServices& services) {
  auto cwd = scratch.directory("plan");
  if (!cwd) return tl::unexpected(cwd.error());
  const auto policy = PolicyBuilder(*cwd).build();
  if (!policy) return tl::unexpected(policy.error());
  const std::string prompt = "doctor";
  LaunchContext context{examinee.arguments, prompt, examinee.setting.environment.environment, *policy, services};
  context.cwd = *cwd;
  context.session_directory = scratch.path();
  context.plugin_directory = examinee.plugin_directory;
  auto launch = examinee.runtime->plan(context);
  if (!launch) return tl::unexpected(launch.error());
  const auto path = launch->executable.value_or("");
  if (::access(path.c_str(), X_OK) == 0) return path;
  return failure(ErrorCode::not_found, path.string() + " of the plugin is not there or not executable",
                 "Install the plugin again");
}

Result<CheckCommand> version_command(const std::filesystem::path& executable, const RuntimeTraits& traits,
                                     const Scratch& scratch) {
  auto directory = scratch.directory("version");
  if (!directory) return tl::unexpected(directory.error());
  CheckCommand command{executable.native(), "--version"};
  command.cwd = *directory;
  for (const std::string& variable : traits.scratch_variables)
    command.variables.push_back({variable, directory->native()});
  return command;
}

std::string why(const CheckRun& run) {
  if (run.timed_out) return "it did not answer in time";
  std::string said = summary_line(first_line(run.error), 200);
  if (!said.empty()) return said;
  return run.exit_code ? "exit code " + std::to_string(*run.exit_code) : "it was killed";
}

Finding judge_version(const std::filesystem::path& executable, const RuntimeTraits& traits, const CheckRun& run) {
  const std::string shown = executable.string();
  if (run.exit_code != 0) {
    return failed(shown + " --version failed (" + why(run) + ")",
                  "Run it by hand; if it does not work there either, " + install_remedy(traits, "install"));
  }
  const auto version = find_version(run.output);
  if (!version) {
    return failed(shown + " --version names no version",
                  "See whether this is the program that you mean, or " + install_remedy(traits, "install"));
  }
  if (!traits.oldest_version.empty() && older(*version, traits.oldest_version)) {
    return failed(shown + " " + *version + " is too old, " + traits.oldest_version + " or later is needed",
                  install_remedy(traits, "Upgrade"));
  }
  return good(shown + " " + *version);
}

}  // namespace

ExecutableFinding check_executable(const Examinee& examinee, const Scratch& scratch, SignalSource& signals) {
  const RuntimeTraits& traits = examinee.traits;
  CheckRunner services = outside_commands(examinee.setting, scratch.path(), signals);
  if (traits.executable.empty()) {
    auto path = planned_executable(examinee, scratch, services);
    if (!path) return {failed(path.error()), {}};
    return {good(path->string() + " (comes with the plugin)"), std::move(*path)};
  }
  auto path = examinee.setting.search.find_runtime(traits.executable, examinee.setting.writable());
  if (!path) return {not_found(examinee, std::move(path.error())), {}};
  const auto command = version_command(*path, traits, scratch);
  if (!command) return {failed(command.error()), std::move(*path)};
  return {judge_version(*path, traits, services.run(*command)), std::move(*path)};
}

}  // namespace agentrun::host
