#include "profile.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "agentrun/ipv4.hpp"
#include "agentrun/text.hpp"
#include "toml.hpp"

namespace agentrun::codex {

namespace {

// In the key of a profile's path these make a pattern, and codex 0.171.0 silently hides nothing below a directory that
// a pattern means. There is no way to quote them.
constexpr std::string_view pattern_characters = "*?[]";

Result<std::string> path_key(const std::filesystem::path& path) {
  const std::string& text = path.native();
  if (!is_utf8(text)) {
    return failure(ErrorCode::unavailable, "codex cannot limit access to " + to_utf8(text) + ", which is not UTF-8",
                   "Rename it, or run another agent");
  }
  if (text.find_first_of(pattern_characters) != std::string::npos) {
    return failure(ErrorCode::unavailable,
                   "codex cannot limit access to " + text + ": it takes the characters * ? [ ] for a pattern",
                   "Rename it, or run another agent");
  }
  return toml_string(text);
}

/// More than what the working directory gives, which is told by its own name there.
Result<std::string> file_system(const Policy& policy) {
  std::string table = R"({":root"="read", ":workspace_roots"={"."="write"})";
  const auto add = [&](const std::filesystem::path& path, std::string_view access) -> Result<void> {
    const auto key = path_key(path);
    if (!key) return tl::unexpected(key.error());
    table.append(", ").append(*key).append("=\"").append(access).append("\"");
    return {};
  };
  for (const std::filesystem::path& path : policy.writable()) {
    if (path == policy.cwd()) continue;
    if (auto added = add(path, "write"); !added) return tl::unexpected(added.error());
  }
  for (const HiddenPath& hidden : policy.hidden()) {
    if (auto added = add(hidden.path, "deny"); !added) return tl::unexpected(added.error());
  }
  return table + "}";
}

struct Block {
  std::uint32_t network;
  int bits;
};

/// What codex 0.171.0 takes for local or private.
bool is_special_address(std::uint32_t address) {
  constexpr Block blocks[] = {
      {0xC0000000, 24},  // 192.0.0.0
      {0xC0000200, 24},  // 192.0.2.0, for documentation, as the next two
      {0xC6336400, 24},  // 198.51.100.0
      {0xCB007100, 24},  // 203.0.113.0
      {0xC6120000, 15},  // 198.18.0.0, for benchmarks
      {0xE0000000, 3},   // 224.0.0.0 and above: multicast, reserved
  };
  if (is_private_ipv4(address)) return true;
  return std::ranges::any_of(blocks,
                             [&](const Block& block) { return ((address ^ block.network) >> (32 - block.bits)) == 0; });
}

/// codex's own proxy connects to these itself, past the filter proxy behind it, and to any of their ports (measured
/// with 0.171.0). Left out of its list they are refused: an allowed port must not open all of the user's services.
bool is_reached_past_the_filter(const HostRule& rule) {
  if (rule.wildcard) return false;
  if (rule.host == "localhost" || rule.host.ends_with(".localhost")) return true;
  const auto address = parse_ipv4(rule.host);
  return address && is_special_address(*address);
}

std::string allowed_domains(const NetworkPolicy& network) {
  std::set<std::string> hosts;
  for (const HostRule& rule : network.rules()) {
    if (!is_reached_past_the_filter(rule)) hosts.insert(rule.wildcard ? "*." + rule.host : rule.host);
  }
  std::string table;
  for (const std::string& host : hosts) {
    if (!table.empty()) table += ", ";
    table += toml_string(host) + "=\"allow\"";
  }
  return "{" + table + "}";
}

void append_network(std::vector<std::string>& arguments, const Policy& policy, NetworkAccess::Kind kind) {
  const std::string key = std::string("permissions.") + profile_name + ".network";
  const bool custom = policy.network().mode() == NetworkMode::custom;
  if (kind != NetworkAccess::Kind::cut && custom) {
    // Without this feature the domains are not enforced at all. Its SOCKS5 side skips the proxy behind it.
    arguments.insert(
        arguments.end(),
        {"--enable", "network_proxy", "-c",
         key + "={enabled=true, enable_socks5=false, enable_socks5_udp=false, allow_upstream_proxy=true, " +
             "domains=" + allowed_domains(policy.network()) + "}"});
    return;
  }
  const bool open = kind != NetworkAccess::Kind::cut && policy.network().mode() == NetworkMode::full;
  arguments.insert(arguments.end(), {"-c", key + ".enabled=" + (open ? "true" : "false")});
}

/// codex merges the working directory's .codex/config.toml into ours where the user has trusted the project. Attack: an
/// earlier agent wrote one that makes more paths writable in the profile of this name.
void append_distrust(std::vector<std::string>& arguments, const std::filesystem::path& cwd) {
  arguments.insert(arguments.end(), {"-c", "project_root_markers=[]"});
  if (!is_utf8(cwd.native())) return;  // no key of TOML is equal to it, so it cannot be trusted either
  arguments.insert(arguments.end(),
                   {"-c", "projects={" + toml_string(cwd.native()) + R"(={trust_level="untrusted"}})"});
}

}  // namespace

Result<std::vector<std::string>> profile_arguments(const Policy& policy, NetworkAccess::Kind network) {
  if (policy.private_tmp()) {
    return failure(ErrorCode::unavailable, "codex cannot give its commands an empty /tmp of their own",
                   "Leave --private-tmp out: /tmp is read-only in its sandbox");
  }
  auto files = file_system(policy);
  if (!files) return tl::unexpected(std::move(files.error()));
  std::vector<std::string> arguments{"-c", std::string("default_permissions=") + profile_name, "-c",
                                     std::string("permissions.") + profile_name + ".filesystem=" + *files};
  append_distrust(arguments, policy.cwd());
  append_network(arguments, policy, network);
  return arguments;
}

}  // namespace agentrun::codex
