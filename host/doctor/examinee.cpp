#include "doctor/examinee.hpp"

#include "session/session_directory.hpp"

namespace agentrun::host {
namespace {

Result<SandboxChoice> chosen_sandbox(const std::string& name, const RuntimeTraits& traits, const Setting& setting,
                                     const DoctorOptions& options, const Job& job, SignalSource& signals) {
  CheckRunner services(setting.search, setting.writable(), setting.environment.environment.to_block(), signals);
  CheckRequest request;
  request.proxied = true;
  request.with_versions = true;
  return choose_sandbox(setting, options.session, {name, traits.backends, traits.confines_itself}, job.plugins,
                        services, request);
}

Result<void> check_model(const std::string& name, const RunArguments& arguments, const RuntimeTraits& traits,
                         const Runtime& runtime) {
  if (arguments.model && !traits.takes_model) {
    return failure(ErrorCode::usage, "--model: " + name + " cannot do that", "Leave the option out");
  }
  return runtime.check(arguments);
}

/// A --deny-read that no run from here could take.
Result<void> check_denials(const Setting& setting, const SessionOptions& options, const Caller& caller) {
  PolicyBuilder builder(setting.cwd);
  builder.require("temporary directory", SessionDirectory::parent_for(caller.environment));
  for (const std::string& value : options.deny_read) builder.deny_read(value, caller.cwd);
  const auto policy = builder.build();
  // What else it refuses is about the working directory, and the one of the checks is another.
  if (policy || !policy.error().message.starts_with("--deny-read")) return {};
  return tl::unexpected(policy.error());
}

}  // namespace

tl::expected<Examinee, Unfit> open_examinee(const std::string& name, const DoctorOptions& options, const Job& job,
                                            SignalSource& signals) {
  auto runtime = job.plugins.open_runtime(name, {job.caller.cwd});
  if (!runtime) {
    const PluginError& error = runtime.error();
    return tl::unexpected(Unfit{error.error, error.stage != PluginStage::search});
  }
  const RuntimeTraits traits = (*runtime)->traits();
  RunArguments arguments;
  arguments.model = options.model;
  std::optional<Error> model_refusal;
  if (auto checked = check_model(name, arguments, traits, **runtime); !checked) {
    if (!options.every_runtime) return tl::unexpected(Unfit{checked.error()});
    model_refusal = checked.error();
    arguments.model.reset();
  }
  auto setting = make_setting(options.session, traits, job.caller);
  if (!setting) return tl::unexpected(Unfit{setting.error()});
  if (auto denials = check_denials(*setting, options.session, job.caller); !denials) {
    return tl::unexpected(Unfit{denials.error()});
  }
  auto sandbox = chosen_sandbox(name, traits, *setting, options, job, signals);
  return Examinee{name,
                  std::move(*runtime),
                  traits,
                  std::move(arguments),
                  std::move(model_refusal),
                  std::move(*setting),
                  std::move(sandbox),
                  job.plugins.directory_of(PluginKind::runtime, name).value_or("")};
}

Environment outside_environment(const Setting& setting, const std::filesystem::path& scratch) {
  SessionEnvironment environment = setting.environment;
  LastVariables last;
  last.path = setting.search.text();
  last.session_directory = scratch;
  last.sandboxed = false;
  apply_last(environment, last);
  return std::move(environment.environment);
}

CheckRunner outside_commands(const Setting& setting, const std::filesystem::path& scratch, SignalSource& signals) {
  return {setting.search, setting.writable(), outside_environment(setting, scratch).to_block(), signals, command_limit};
}

}  // namespace agentrun::host
