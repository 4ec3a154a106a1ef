#pragma once
// Where pi's built-in providers are reached, from the provider list of pi-ai 1.6.0.

#include <optional>
#include <string_view>

namespace agentrun::pi {

/// Nothing for an unknown provider, and for those whose host depends on the account (amazon-bedrock, azure,
/// google-vertex).
[[nodiscard]] std::optional<std::string_view> provider_host(std::string_view provider) noexcept;

}  // namespace agentrun::pi
