#include "doctor/network_check.hpp"

#include <algorithm>
#include <sstream>

#include "doctor/network_targets.hpp"

namespace agentrun::host {
namespace {

/// Everything that is decided about the network once the sandbox stands.
struct Asked {
  NetworkTargets targets;
  bool enforced = false;
  std::string open;  ///< why it is not
};

std::string service_host(const Enclosure& enclosure, const Examinee& examinee) {
  const auto& hosts = enclosure.needs().services.hosts;
  return hosts.empty() ? examinee.traits.usual_service_host : hosts.front();
}

/// Tools that give every name an address of their own. In a process of its own: a resolver may take its time, and a
/// signal must end it.
std::string fake_address_hint(const std::string& host, const Examinee& examinee, const Job& job, const Scratch& scratch,
                              SignalSource& signals) {
  CheckRunner services = outside_commands(examinee.setting, scratch.path(), signals);
  std::vector<std::string> argv = resolve_arguments(host);
  argv.insert(argv.begin(), job.caller.executable.native());
  std::istringstream lines(services.run(CheckCommand(std::move(argv))).output);
  for (std::string address; std::getline(lines, address);) {
    if (!is_fake_address(address)) continue;
    std::string hint = ". " + host;
    hint.append(" has the address ").append(address);
    hint += " here: a fake-ip DNS tool answers. Exempt the host from it, or switch its fake-ip mode off";
    return hint;
  }
  return {};
}

std::optional<Finding> refusal_objection(const NetworkTargets& targets, const ConnectAnswer& answer, bool own_proxy) {
  if (!targets.refused) return std::nullopt;
  const std::string shown = to_string(*targets.refused);
  if (answer.status == 200) {
    return failed(shown + " was reached from inside, and must not be",
                  "Do not trust the network limit of this backend here, and report it as a fault of agentrun");
  }
  const std::string reason = "(" + std::string(to_string(targets.reason)) + ")";
  // A runtime's own proxy in front of the filter proxy has words of its own.
  if (answer.status == 403 && (own_proxy || answer.text.find(reason) != std::string::npos)) return std::nullopt;
  return failed(shown + " was not refused as " + std::string(to_string(targets.reason)) +
                    " but: " + std::to_string(answer.status) + " " + answer.text,
                "agentrun exec --network full --debug -- true shows how the proxy is reached");
}

std::string cause(const ConnectAnswer& answer) {
  std::string text = answer.text.empty() ? "status " + std::to_string(answer.status) : answer.text;
  while (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

Finding check_network(Enclosure& enclosure, const Examinee& examinee, const DoctorOptions& options, const Job& job,
                      const Scratch& scratch, SignalSource& signals) {
  const bool own_sandbox = !examinee.sandbox->traits.only_for.empty();
  Asked asked;
  std::vector<Target> targets;
  const auto result = enclosure.run([&](const Ground& ground) {
    const bool filtered = ground.access.kind == NetworkAccess::Kind::proxied;
    asked = {network_targets(ground.policy.network(), service_host(enclosure, examinee), filtered),
             ground.network_enforced, ground.note.value_or("it is open")};
    targets.clear();
    if (asked.targets.refused) targets.push_back(*asked.targets.refused);
    if (asked.targets.allowed) targets.push_back(*asked.targets.allowed);
    EnclosedCommand command{{job.caller.executable.native()}};
    for (std::string& argument : connect_arguments(targets)) command.argv.push_back(std::move(argument));
    return command;
  });
  if (!result) return failed(result.error());
  if (!asked.enforced) return skipped("the network is not limited: " + asked.open);

  const auto answers = read_connect_answers(targets.size(), result->output);
  if (auto bad = refusal_objection(asked.targets, answers.empty() ? ConnectAnswer{} : answers.front(), own_sandbox)) {
    return *bad;
  }
  std::string refused = asked.targets.refused ? to_string(*asked.targets.refused) + " is refused" : "";
  if (!asked.targets.allowed) {
    return good(refused + (refused.empty() ? "" : "; ") + "no host of a model service is known to try");
  }
  const std::string allowed = to_string(*asked.targets.allowed);
  if (answers.back().status != 200) {
    return failed(allowed + " was not reached from inside: " + cause(answers.back()),
                  "Check the name, and whether this machine reaches it" +
                      fake_address_hint(asked.targets.allowed->host, examinee, job, scratch, signals));
  }
  if (refused.empty() && options.session.network == NetworkMode::full) refused = "private addresses are not checked";
  return good(allowed + " is reached" + (refused.empty() ? "" : ", " + refused));
}

}  // namespace agentrun::host
