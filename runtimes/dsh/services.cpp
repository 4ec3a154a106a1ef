#include "services.hpp"

#include "agentrun/host_name.hpp"

namespace agentrun::dsh {

ServiceHosts service_hosts(const Environment& environment) {
  ServiceHosts services;
  const auto host = url_host(environment.get_nonempty(base_url_variable).value_or(default_base_url));
  if (host) {
    services.hosts.push_back(*host);
  } else {
    services.unknown = Error{ErrorCode::usage,
                             std::string("cannot tell which host dsh's model service uses from ") + base_url_variable,
                             "Use --network custom --allow-host <host of the model service>"};
  }
  return services;
}

}  // namespace agentrun::dsh
