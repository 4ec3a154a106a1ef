#pragma once
// Which host dsh's model service uses: told before the run.

#include <string>

#include "agentrun/environment.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::dsh {

inline constexpr const char* default_base_url = "https://api.deepseek.com";
inline constexpr const char* base_url_variable = "DEEPSEEK_BASE_URL";
inline constexpr const char* key_variable = "DEEPSEEK_API_KEY";

/// The host of DEEPSEEK_BASE_URL, else of the public service.
[[nodiscard]] ServiceHosts service_hosts(const Environment& environment);

}  // namespace agentrun::dsh
