#include "services.hpp"

#include "agentrun/host_name.hpp"

namespace agentrun::dsh {

ServiceHosts service_hosts(const Environment& environment) {
  const std::string_view url = environment.get_nonempty(base_url_variable).value_or(default_base_url);
  ServiceHosts services;
  const auto host = url_host(url);
  if (!host) {
    services.unknown = Error{ErrorCode::usage,
                             std::string("cannot tell which host dsh's model service uses from ") + base_url_variable,
                             "Use --network custom --allow-host <host of the model service>"};
  } else if (url_port(url) != 443) {
    // Only port 443 is opened by itself: on another one the name may be any machine of the user's network.
    const std::string target = *host + ":" + std::to_string(url_port(url));
    services.unknown = Error{ErrorCode::usage,
                             "dsh's model service is " + target + " (from " + base_url_variable +
                                 "), and only port 443 is reached without being allowed",
                             "Use --network custom --allow-host " + target};
  } else {
    services.hosts.push_back(*host);
  }
  return services;
}

}  // namespace agentrun::dsh
