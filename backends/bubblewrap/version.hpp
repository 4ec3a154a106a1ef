#pragma once
// Versions of bwrap and socat as they print them.

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace agentrun::bwrap {

struct Version {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;

  friend auto operator<=>(const Version&, const Version&) = default;
};

/// Takes every option that the wrapper cannot do without (0.4.0, 2019, is what Red Hat Enterprise Linux 8 has);
/// --disable-userns came with 0.8.0 and is left out where it does not work.
inline constexpr Version oldest_bwrap{0, 4, 0};

/// From "bubblewrap 0.8.0".
[[nodiscard]] std::optional<Version> parse_bwrap_version(std::string_view output) noexcept;

/// "1.7.4.4" from the several lines of `socat -V`; empty when it is not there.
[[nodiscard]] std::string socat_version(std::string_view output);

[[nodiscard]] std::string to_string(const Version& version);

}  // namespace agentrun::bwrap
