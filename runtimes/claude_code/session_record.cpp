#include "session_record.hpp"

#include <algorithm>
#include <cstdint>

#include "agentrun/path.hpp"
#include "agentrun/text.hpp"

namespace agentrun::claude_code {

namespace {

/// JavaScript counts and hashes UTF-16 units. Bad bytes are U+FFFD for it, too.
std::u16string utf16(std::string_view bytes) {
  const std::string text = to_utf8(bytes);
  std::u16string units;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    i += length;
    if (point >= 0x10000) {
      units.push_back(static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF)));
    } else {
      units.push_back(static_cast<char16_t>(point));
    }
  }
  return units;
}

std::string base36(std::uint32_t number) {
  std::string digits;
  do {
    digits.push_back("0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]);
    number /= 36;
  } while (number != 0);
  std::ranges::reverse(digits);
  return digits;
}

/// h = 31 h + unit in 32 bits, and the magnitude of that.
std::string hash(const std::u16string& units) {
  std::uint32_t value = 0;
  for (const char16_t unit : units) value = value * 31 + unit;
  return base36(value > 0x7FFFFFFFU ? 0U - value : value);
}

}  // namespace

std::string project_name(const std::filesystem::path& cwd) {
  constexpr std::size_t longest = 200;
  const std::u16string units = utf16(cwd.native());
  std::string name;
  for (const char16_t unit : units) {
    const bool plain =
        (unit >= u'0' && unit <= u'9') || (unit >= u'a' && unit <= u'z') || (unit >= u'A' && unit <= u'Z');
    name.push_back(plain ? static_cast<char>(unit) : '-');
  }
  if (name.size() <= longest) return name;
  return name.substr(0, longest) + "-" + hash(units);
}

Result<std::filesystem::path> config_directory(const Environment& environment, const std::filesystem::path& cwd) {
  if (const auto given = environment.get_nonempty("CLAUDE_CONFIG_DIR")) return absolute_from(cwd, *given);
  const auto home = environment.get_nonempty("HOME");
  if (!home) {
    return failure(ErrorCode::not_found, "claude's configuration directory is unknown: HOME is not set",
                   "Set HOME or CLAUDE_CONFIG_DIR");
  }
  return absolute_from(cwd, std::filesystem::path(*home) / ".claude");
}

Result<SessionRecord> session_record(const LaunchContext& context) {
  auto directory = config_directory(context.environment, context.cwd);
  if (!directory) return tl::unexpected(directory.error());
  SessionRecord record;
  record.id = context.arguments.resume.value_or(context.session_id);
  record.directory = *directory / "projects" / project_name(real_path(context.cwd));
  record.entries = {record.id + ".jsonl", record.id};
  return record;
}

}  // namespace agentrun::claude_code
