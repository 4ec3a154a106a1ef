#include "run/sandbox_choice.hpp"

#include <algorithm>

namespace agentrun::host {
namespace {

constexpr std::string_view no_backend = "none";

struct Refusal {
  std::string name;
  Error error;
  bool installed = true;
};

Result<SandboxChoice> without_sandbox(const Setting& setting, const PluginLibrary& plugins, CheckServices& services,
                                      std::string missing) {
  auto backend = plugins.open_backend(no_backend, setting.writable());
  if (!backend) return tl::unexpected(backend.error().error);
  const BackendTraits traits = (*backend)->traits();
  auto readiness = (*backend)->check(services, {});
  if (!readiness) return tl::unexpected(readiness.error());
  return SandboxChoice{std::move(*backend), std::string(no_backend), traits, std::move(*readiness), std::move(missing)};
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Error does_not_fit(const std::string& backend, const BackendFit& fit, const std::string& fitting) {
  return {ErrorCode::usage, "--backend " + backend + " does not fit " + fit.name,
          "Leave the option out" + (fitting.empty() ? std::string() : ", or use --backend " + fitting)};
}

tl::expected<SandboxChoice, Refusal> try_backend(const std::string& name, const BackendFit& fit, const Setting& setting,
                                                 const PluginLibrary& plugins, CheckServices& services,
                                                 const CheckRequest& request) {
  auto backend = plugins.open_backend(name, setting.writable());
  if (!backend) {
    const PluginError& error = backend.error();
    return tl::unexpected(Refusal{name, error.error, error.stage != PluginStage::search});
  }
  BackendTraits traits = (*backend)->traits();
  if (!traits.only_for.empty() && !holds(traits.only_for, fit.name)) {
    return tl::unexpected(Refusal{name, does_not_fit(name, fit, {})});
  }
  CheckRequest own = request;
  own.by_runtime = fit.by_runtime;
  own.by_start = request.by_start && !fit.by_runtime;
  own.plugin_directory = plugins.directory_of(PluginKind::backend, name).value_or("");
  auto readiness = (*backend)->check(services, own);
  if (!readiness) return tl::unexpected(Refusal{name, readiness.error()});
  // The check may have found less than the machine promised.
  traits = (*backend)->traits();
  return SandboxChoice{std::move(*backend), name, std::move(traits), std::move(*readiness), {}};
}

/// The first one's cause and remedy, then the other installed ones' causes.
Error unavailable(const std::vector<Refusal>& refusals) {
  Error error = refusals.front().error;
  error.code = ErrorCode::unavailable;
  error.message = "sandbox is not available: " + error.message;
  for (std::size_t index = 1; index < refusals.size(); ++index) {
    if (!refusals[index].installed) continue;
    if (!error.hint.empty()) error.hint += ". ";
    error.hint += refusals[index].name + ": " + refusals[index].error.message;
  }
  return error;
}

}  // namespace

Result<SandboxChoice> choose_sandbox(const Setting& setting, const SessionOptions& options, const BackendFit& fit,
                                     const PluginLibrary& plugins, CheckServices& services,
                                     const CheckRequest& request) {
  if (options.backend == no_backend && setting.mode != SandboxMode::off) {
    return failure(ErrorCode::usage, "--backend none runs without a sandbox", "Say so with --sandbox off");
  }
  if (setting.mode == SandboxMode::off) {
    return without_sandbox(setting, plugins, services, {});
  }
  std::vector<std::string> chain = fit.backends.empty() ? backend_chain() : fit.backends;
  if (options.backend) {
    if (!fit.backends.empty() && !holds(fit.backends, *options.backend)) {
      return tl::unexpected(does_not_fit(*options.backend, fit, fit.backends.front()));
    }
    chain = {*options.backend};
  }
  std::vector<Refusal> refusals;
  for (const std::string& name : chain) {
    auto choice = try_backend(name, fit, setting, plugins, services, request);
    if (choice) return std::move(*choice);
    if (options.backend && choice.error().error.code == ErrorCode::usage) return tl::unexpected(choice.error().error);
    refusals.push_back(std::move(choice.error()));
  }
  Error error = unavailable(refusals);
  if (setting.mode == SandboxMode::on) return tl::unexpected(std::move(error));
  return without_sandbox(setting, plugins, services, refusals.front().error.message);
}

}  // namespace agentrun::host
