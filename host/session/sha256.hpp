#pragma once
// SHA-256 (FIPS 180-4), written here: a crypto library would cost every start a few milliseconds of loading, for one
// hash of a few kilobytes that protects nothing.

#include <string>
#include <string_view>

namespace agentrun::host {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace agentrun::host
