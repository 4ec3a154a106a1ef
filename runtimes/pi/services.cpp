#include "services.hpp"

#include "agentrun/host_name.hpp"
#include "arguments.hpp"
#include "config.hpp"
#include "providers.hpp"

namespace agentrun::pi {

namespace {

ServiceHosts unknown(std::string_view provider) {
  ServiceHosts services;
  services.unknown = Error{ErrorCode::usage,
                           "cannot tell which host pi's model service uses (provider: " + std::string(provider) + ")",
                           "Use --network custom --allow-host <host of the model service>"};
  return services;
}

/// The port of a URL that url_host() understands.
std::string_view port_of(std::string_view url) {
  const std::string_view scheme = url.substr(0, url.find("://"));
  std::string_view authority = url.substr(scheme.size() + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  const std::size_t user_end = authority.rfind('@');
  if (user_end != std::string_view::npos) authority.remove_prefix(user_end + 1);
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos) return authority.substr(colon + 1);
  return scheme == "http" ? "80" : "443";
}

ServiceHosts by_url(const ModelAddress& address) {
  const std::optional<std::string> host = url_host(address.base_url);
  if (!host) return unknown(address.provider);
  ServiceHosts services;
  const std::string_view port = port_of(address.base_url);
  if (port == "443") {
    services.hosts.push_back(*host);
  } else {
    // Only port 443 is opened by itself: on another one the name may be any machine of the user's network.
    const std::string target = *host + ":" + std::string(port);
    services.unknown = Error{ErrorCode::usage,
                             "pi's model service is " + target + " (provider: " + address.provider +
                                 "), and only port 443 is reached without being allowed",
                             "Use --network custom --allow-host " + target};
  }
  return services;
}

}  // namespace

ServiceHosts service_hosts(const std::optional<std::string>& model, const std::filesystem::path& state_directory) {
  std::string name;
  if (model) {
    name = without_thinking_level(*model);
  } else {
    const std::optional<DefaultModel> chosen = read_default_model(state_directory / "settings.json");
    if (!chosen) return unknown("unknown");
    name = chosen->provider + "/" + chosen->model;
  }
  if (const auto address = read_model_address(state_directory / "models.json", name)) return by_url(*address);

  const std::string_view provider = std::string_view(name).substr(0, name.find('/'));
  const std::optional<std::string_view> host = provider_host(provider);
  if (!host) return unknown(provider);
  ServiceHosts services;
  services.hosts.emplace_back(*host);
  return services;
}

}  // namespace agentrun::pi
