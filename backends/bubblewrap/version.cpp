#include "version.hpp"

#include <array>
#include <charconv>

namespace agentrun::bwrap {
namespace {

constexpr std::string_view digits_and_dots = "0123456789.";

/// The digits and dots behind `label`.
std::string_view number_after(std::string_view output, std::string_view label) noexcept {
  const std::size_t at = output.find(label);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = output.substr(at + label.size());
  return rest.substr(0, rest.find_first_not_of(digits_and_dots));
}

}  // namespace

std::optional<Version> parse_bwrap_version(std::string_view output) noexcept {
  const std::string_view text = number_after(output, "bubblewrap ");
  std::array<unsigned, 3> parts{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc{}) return std::nullopt;
    if (next == end) break;
    if (*next != '.') return std::nullopt;
    at = next + 1;
  }
  return Version{parts[0], parts[1], parts[2]};
}

std::string socat_version(std::string_view output) { return std::string(number_after(output, "socat version ")); }

std::string to_string(const Version& version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' + std::to_string(version.patch);
}

}  // namespace agentrun::bwrap
