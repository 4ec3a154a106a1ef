#include "cli/printable.hpp"

#include <cstddef>

#include "agentrun/text.hpp"

namespace agentrun::cli {

namespace {

/// Bytes of the control character that `text` starts with, 0 when it starts with something else. `text` is UTF-8.
std::size_t control_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t index) {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : static_cast<unsigned char>(0);
  };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return 2;                     // C1
  if (byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) return 3;  // U+2028 to U+202E
  if (byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9) return 3;  // U+2066 to U+2069
  return 0;
}

}  // namespace

std::string printable_line(std::string_view text) {
  std::string line = to_utf8(text);
  std::size_t kept = 0;
  for (std::size_t read = 0; read < line.size();) {
    const std::size_t control = control_length(std::string_view(line).substr(read));
    line[kept++] = control == 0 ? line[read] : ' ';
    read += control == 0 ? 1 : control;
  }
  line.resize(kept);
  return line;
}

std::string printable_first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  const std::size_t line = text.find_last_of("\r\n", begin);
  return printable_line(first_line(line == std::string_view::npos ? text : text.substr(line + 1)));
}

}  // namespace agentrun::cli
