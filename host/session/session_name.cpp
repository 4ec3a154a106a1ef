#include "session/session_name.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "system/file.hpp"

namespace agentrun::host {
namespace {

constexpr std::string_view prefix = "agentrun-";
constexpr std::string_view mark_suffix = ".kept";
constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t id_length = 16;

}  // namespace

Result<std::string> random_session_id() {
  std::array<unsigned char, id_length / 2> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) {
    return failure(ErrorCode::io, "no random numbers: " + system_text(errno));
  }
  std::string id;
  for (const unsigned char byte : bytes) {
    id += digits[byte >> 4];
    id += digits[byte & 0xf];
  }
  return id;
}

std::string session_directory_name(std::string_view id) { return std::string(prefix).append(id); }

std::string session_companion_name(std::string_view id, std::string_view name) {
  return session_directory_name(id).append("-").append(name);
}

std::string session_mark_name(std::string_view id) { return session_directory_name(id).append(mark_suffix); }

std::optional<SessionName> parse_session_name(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  const std::string_view id = name.substr(0, id_length);
  if (id.size() != id_length || id.find_first_not_of(digits) != std::string_view::npos) return std::nullopt;
  name.remove_prefix(id_length);
  if (name.empty()) return SessionName{std::string(id), SessionEntry::directory};
  if (name == mark_suffix) return SessionName{std::string(id), SessionEntry::mark};
  if (name.front() != '-' || !is_companion_name(name.substr(1))) return std::nullopt;
  return SessionName{std::string(id), SessionEntry::companion};
}

bool is_companion_name(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace agentrun::host
