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

ServiceHosts by_url(const ModelAddress& address) {
  const std::optional<std::string> host = url_host(address.base_url);
  if (!host) return unknown(address.provider);
  ServiceHosts services;
  const std::uint16_t port = url_port(address.base_url);
  if (port == 443) {
    services.hosts.push_back(*host);
  } else {
    // Only port 443 is opened by itself: on another one the name may be any machine of the user's network.
    const std::string target = *host + ":" + std::to_string(port);
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
