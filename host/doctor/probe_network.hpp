#pragma once

#include <string>
#include <vector>

#include "doctor/probe.hpp"

namespace agentrun::host {

/// Asks the proxy of the environment (HTTPS_PROXY) for a tunnel, or connects where there is none. Each step of it gives
/// up after 25 seconds.
[[nodiscard]] ConnectAnswer connect_from_here(const std::string& host, const std::string& port);

/// IPv4 only, as the proxy.
[[nodiscard]] std::vector<std::string> addresses_of(const std::string& host);

}  // namespace agentrun::host
