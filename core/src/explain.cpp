#include "agentrun/explain.hpp"

#include <optional>

#include "agentrun/ipv4.hpp"
#include "hidden_below.hpp"

namespace agentrun {
namespace {

/// With the links of every part that exists resolved: a file that is yet to be made lies where its directory really is.
std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? path.lexically_normal() : real;
}

const std::filesystem::path* writable_place(const Policy& policy, const std::filesystem::path& path) {
  for (const auto& directory : policy.writable()) {
    if (contains(directory, path)) return &directory;
  }
  return nullptr;
}

std::optional<Explanation> hidden_by(const Policy& policy, const std::filesystem::path& path) {
  for (const HiddenPath& hidden : policy.hidden()) {
    if (path == hidden.path) return Explanation{false, "it is hidden"};
    if (is_below(path, hidden)) return Explanation{false, "it lies in " + hidden.path.native() + ", which is hidden"};
  }
  const bool is_emptied = policy.private_tmp() && contains("/tmp", path) && path != "/tmp";
  if (is_emptied && writable_place(policy, path) == nullptr) {
    return Explanation{false, "--private-tmp gives the sandbox a /tmp of its own"};
  }
  return std::nullopt;
}

}  // namespace

Explanation explain_read(const Policy& policy, const std::filesystem::path& path) {
  if (auto denial = hidden_by(policy, resolved(path))) return *denial;
  return {true, "what is not hidden can be read"};
}

Explanation explain_write(const Policy& policy, const std::filesystem::path& path) {
  const std::filesystem::path real = resolved(path);
  if (auto denial = hidden_by(policy, real)) return *denial;
  if (const auto* place = writable_place(policy, real)) {
    const bool is_cwd = real_path(*place) == real_path(policy.cwd());
    return {true, std::string("it lies in the ") + (is_cwd ? "working" : "session") + " directory " + place->native()};
  }
  for (const StateDirectory& state : policy.states()) {
    for (const std::string& entry : state.writable_entries) {
      if (contains(state.directory / entry, real)) return {true, "it is a state entry of the runtime"};
    }
  }
  return {false, "only the working directory " + policy.cwd().native() + " and the session directory can be written"};
}

Explanation explain_connect(const NetworkPolicy& policy, const HostName& host, std::uint16_t port) {
  if (policy.mode() == NetworkMode::none && policy.allows_nothing()) return {false, "--network none reaches no host"};
  switch (policy.judge(host.text, host.form, port)) {
    case Ruling::allowed:
      return {true, "a rule names it"};
    case Ruling::not_allowed:
      if (host.form == HostForm::ipv6) return {false, "IPv6 addresses are not reached"};
      return {false, "no --allow-host rule names it with port " + std::to_string(port)};
    case Ruling::allowed_if_public:
      break;
  }
  const std::string why = policy.mode() == NetworkMode::full ? "--network full" : "a wildcard rule";
  const auto literal = host.form == HostForm::ipv4 ? parse_ipv4(host.text) : std::nullopt;
  if (literal && is_private_ipv4(*literal)) {
    return {false,
            "it is a private address, and " + why + " does not reach those; --allow-host " + host.text + " does"};
  }
  if (literal) return {true, why + " reaches public addresses"};
  return {true, why + " reaches it unless one of its addresses is private"};
}

}  // namespace agentrun
