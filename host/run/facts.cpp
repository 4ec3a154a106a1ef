#include "run/facts.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agentrun/text.hpp"

namespace agentrun::host {
namespace {

std::string listed(const std::vector<std::string>& items) {
  return items.empty() ? "none" : fmt::format("{}", fmt::join(items, ", "));
}

template <class Range>
std::string quoted_paths(const Range& paths) {
  std::vector<std::string> quoted;
  for (const auto& path : paths) quoted.push_back(shell_quote(path.native()));
  return listed(quoted);
}

std::string backend_fact(const SandboxChoice& sandbox) {
  std::string text = sandbox.name;
  if (!sandbox.missing.empty()) text += " (" + sandbox.missing + ")";
  for (const Tool& tool : sandbox.readiness.tools) {
    text += fmt::format("; {}{}{} {}", tool.name, tool.version.empty() ? "" : " ", tool.version,
                        shell_quote(tool.path.native()));
  }
  for (const CheckStep& step : sandbox.readiness.steps) {
    text += fmt::format("; {}: {} ({} ms)", step.name, step.outcome, step.duration.count());
  }
  return text;
}

std::string enforcement_fact(const SandboxChoice& sandbox) {
  if (!sandbox.running()) return "none";
  const Enforcement& enforcement = sandbox.readiness.enforcement;
  return enforcement.full() ? "full" : "partial: " + listed(enforcement.missing);
}

std::string network_fact(const Confinement& confinement, SniCheck check_sni) {
  const NetworkPolicy& network = confinement.ground.policy.network();
  std::vector<std::string> rules;
  for (const HostRule& rule : network.rules()) rules.push_back(to_string(rule));
  const std::string sni = check_sni == SniCheck::off ? "" : fmt::format("; SNI check: {}", to_string(check_sni));
  return fmt::format("{}; rules: {}; service hosts: {}{}; {}", to_string(network.mode()), listed(rules),
                     listed(network.service_hosts()), sni,
                     confinement.ground.network_enforced ? "enforced" : "not enforced");
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// The names that differ between the session's environment and the final one.
std::string names_set(const Setting& setting, const Confinement& confinement) {
  std::vector<std::string> names = setting.environment.given;
  for (const auto& [name, value] : confinement.environment.variables()) {
    if (setting.environment.environment.get(name) != value &&
        std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return listed(names);
}

}  // namespace

void report_facts(FactSink& sink, const Setting& setting, const SessionOptions& options, const SandboxChoice& sandbox,
                  const SessionSpace& space, const Confinement& confinement, const std::vector<PrivateHome>& homes,
                  const std::vector<std::filesystem::path>& home_paths, const std::vector<std::string>& shown_argv) {
  const auto fact = [&](std::string name, std::string value) {
    // The directory of a dry run does not exist: its name would only mislead.
    if (options.dry_run) value = replaced(std::move(value), space.path().native(), "<tempdir>");
    sink.fact({std::move(name), std::move(value)});
  };
  fact("command", shell_quote(shown_argv));
  fact("cwd", shell_quote(setting.cwd.native()));
  fact("PATH", std::string(confinement.environment.get("PATH").value_or("")));
  fact("set", names_set(setting, confinement));
  fact("removed", listed(setting.environment.removed));
  fact("agentrun variables", listed(setting.environment.agentrun_variables));
  fact("backend", backend_fact(sandbox));
  fact("enforcement", enforcement_fact(sandbox));
  fact("writable", sandbox.running() ? quoted_paths(confinement.ground.policy.writable()) : "not limited");
  fact("deny read", sandbox.running() ? quoted_paths(confinement.ground.policy.deny_read()) : "not limited");
  fact("network", network_fact(confinement, options.check_sni));
  fact("tempdir", shell_quote(space.path().native()));
  for (std::size_t at = 0; at < homes.size(); ++at) fact(homes[at].name, shell_quote(home_paths[at].native()));
}

}  // namespace agentrun::host
