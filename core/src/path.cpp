#include "agentrun/path.hpp"

#include <algorithm>
#include <system_error>

namespace agentrun {
namespace {

namespace fs = std::filesystem;

fs::path without_trailing_slash(fs::path path) {
  // "/w/" has an empty last component.
  if (!path.has_filename() && path.has_relative_path()) return path.parent_path();
  return path;
}

std::optional<fs::path> resolved(const fs::path& path) {
  std::error_code error;
  // Most paths of a policy are missing: one look instead of one for each component.
  if (!fs::exists(path, error)) return std::nullopt;
  fs::path real = fs::canonical(path, error);
  if (error) return std::nullopt;
  return real;
}

fs::path textual(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return without_trailing_slash((error ? path : absolute).lexically_normal());
}

bool starts_with(const fs::path& path, const fs::path& prefix) {
  const auto [end_of_prefix, rest] = std::mismatch(prefix.begin(), prefix.end(), path.begin(), path.end());
  static_cast<void>(rest);
  return end_of_prefix == prefix.end();
}

}  // namespace

bool contains(const fs::path& outer, const fs::path& inner) {
  if (const auto real_outer = resolved(outer)) {
    if (const auto real_inner = resolved(inner)) return starts_with(*real_inner, *real_outer);
  }
  return starts_with(textual(inner), textual(outer));
}

fs::path absolute_from(const fs::path& base, const fs::path& path) {
  return without_trailing_slash((base / path).lexically_normal());
}

fs::path real_path(const fs::path& path) {
  if (auto real = resolved(path)) return *std::move(real);
  return absolute_from("/", path);
}

std::optional<HiddenPath> hidden(const fs::path& path) {
  auto real = resolved(path);
  if (!real) return std::nullopt;
  std::error_code error;
  switch (fs::status(*real, error).type()) {
    case fs::file_type::directory:
      return HiddenPath{*std::move(real), true};
    case fs::file_type::regular:
    case fs::file_type::fifo:
    case fs::file_type::character:
    case fs::file_type::block:
    case fs::file_type::socket:
      return HiddenPath{*std::move(real), false};
    default:
      return std::nullopt;
  }
}

}  // namespace agentrun
