#include "agentrun/proxy/direct_hosts.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "agentrun/ipv4.hpp"

namespace agentrun::proxy {
namespace {

constexpr std::string_view separators = ", \t\r\n";

/// At a dot: "notexample.com" is not below "example.com".
bool is_domain_or_below(std::string_view name, std::string_view domain) noexcept {
  if (!name.ends_with(domain)) return false;
  return name.size() == domain.size() || name[name.size() - domain.size() - 1] == '.';
}

/// For 0 to 32 bits.
constexpr std::uint32_t mask_of(unsigned bits) noexcept { return bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits); }

}  // namespace

std::optional<DirectHosts::Network> DirectHosts::parse_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_ipv4(text.substr(0, slash));
  const std::string_view length = text.substr(slash + 1);
  unsigned bits = 0;
  const auto [stop, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  if (!address || error != std::errc{} || stop != length.data() + length.size() || bits > 32) return std::nullopt;
  return Network{*address & mask_of(bits), mask_of(bits)};
}

std::optional<DirectHosts::Entry> DirectHosts::parse_entry(std::string_view text) {
  if (text.find('/') != std::string_view::npos) {
    const auto network = parse_network(text);
    return network ? std::optional(Entry{*network, std::nullopt}) : std::nullopt;
  }
  std::optional<std::uint16_t> port;
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    port = parse_port(text.substr(colon + 1));
    if (!port) return std::nullopt;
    text = text.substr(0, colon);
  }
  if (text == "*") return Entry{Everything{}, port};
  if (text.starts_with("*.")) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  std::optional<HostName> host = parse_host(text);
  if (!host || host->form == HostForm::ipv6) return std::nullopt;
  if (host->form == HostForm::name) return Entry{Domain{std::move(host->text)}, port};
  return Entry{Network{parse_ipv4(host->text).value_or(0), mask_of(32)}, port};
}

DirectHosts DirectHosts::parse(std::string_view list) {
  DirectHosts hosts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    if (auto entry = parse_entry(list.substr(0, end))) hosts.entries_.push_back(std::move(*entry));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return hosts;
}

bool DirectHosts::matches(const Entry& entry, const HostName& host, std::uint16_t port) {
  if (entry.port && *entry.port != port) return false;
  if (const auto* domain = std::get_if<Domain>(&entry.hosts))
    return host.form == HostForm::name && is_domain_or_below(host.text, domain->name);
  if (const auto* network = std::get_if<Network>(&entry.hosts)) {
    if (host.form != HostForm::ipv4) return false;
    const auto address = parse_ipv4(host.text);
    return address && (*address & network->mask) == network->address;
  }
  return true;
}

bool DirectHosts::contains(const HostName& host, std::uint16_t port) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return matches(entry, host, port); });
}

}  // namespace agentrun::proxy
