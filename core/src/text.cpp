#include "agentrun/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace agentrun {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view ellipsis = "\xE2\x80\xA6";     // U+2026

constexpr std::uint8_t byte(char c) noexcept { return static_cast<std::uint8_t>(c); }
constexpr bool is_continuation(char c) noexcept { return (byte(c) & 0xC0) == 0x80; }

struct Sequence {
  std::size_t length;  ///< of the code point, or of the maximal bad sequence
  bool good;
};

/// The sequence at the start of `bytes`, which is not empty (Unicode 15, table 3-7).
Sequence next_sequence(std::string_view bytes) noexcept {
  const std::uint8_t lead = byte(bytes[0]);
  if (lead < 0x80) return {1, true};
  std::size_t length = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;   // overlong below
    if (lead == 0xED) high = 0x9F;  // surrogates above
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;   // overlong below
    if (lead == 0xF4) high = 0x8F;  // beyond U+10FFFF above
  } else {
    return {1, false};
  }
  for (std::size_t at = 1; at < length; ++at) {
    if (at == bytes.size() || byte(bytes[at]) < low || byte(bytes[at]) > high) return {at, false};
    low = 0x80;
    high = 0xBF;
  }
  return {length, true};
}

std::size_t ascii_prefix(std::string_view bytes) noexcept {
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, bytes.data() + at, 8);
    if ((chunk & 0x8080808080808080) != 0) break;
  }
  while (at < bytes.size() && byte(bytes[at]) < 0x80) ++at;
  return at;
}

std::size_t utf8_prefix(std::string_view bytes) noexcept {
  std::size_t at = 0;
  while (true) {
    at += ascii_prefix(bytes.substr(at));
    if (at == bytes.size()) return at;
    const Sequence sequence = next_sequence(bytes.substr(at));
    if (!sequence.good) return at;
    at += sequence.length;
  }
}

/// C0, DEL and C1: what moves a terminal's cursor or starts its commands.
bool is_control(std::string_view code_point) noexcept {
  const std::uint8_t lead = byte(code_point[0]);
  if (lead < 0x20 || lead == 0x7F) return true;
  return lead == 0xC2 && byte(code_point[1]) < 0xA0;
}

/// What ends a run of plain ASCII in a JSON string.
constexpr std::array<bool, 256> make_stops() {
  std::array<bool, 256> stops{};
  for (std::size_t c = 0; c < stops.size(); ++c) stops[c] = c < 0x20 || c == '"' || c == '\\' || c >= 0x80;
  return stops;
}
constexpr std::array<bool, 256> json_stops = make_stops();

/// Eight bytes at a time: text events are megabytes.
std::size_t plain_ascii_prefix(std::string_view bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t tops = 0x8080808080808080;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, bytes.data() + at, 8);
    const std::uint64_t quote = chunk ^ (ones * '"');
    const std::uint64_t backslash = chunk ^ (ones * '\\');
    const std::uint64_t stops = chunk | (chunk - ones * 0x20) | (quote - ones) | (backslash - ones);
    if ((stops & tops) != 0) break;
  }
  while (at < bytes.size() && !json_stops[byte(bytes[at])]) ++at;
  return at;
}

/// Length of what goes into a JSON string unchanged.
std::size_t plain_json_prefix(std::string_view bytes) noexcept {
  std::size_t at = 0;
  while (true) {
    at += plain_ascii_prefix(bytes.substr(at));
    if (at == bytes.size() || byte(bytes[at]) < 0x80) return at;
    do {
      const Sequence sequence = next_sequence(bytes.substr(at));
      if (!sequence.good) return at;
      at += sequence.length;
    } while (at < bytes.size() && byte(bytes[at]) >= 0x80);
  }
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += hex[byte(c) >> 4];
      out += hex[byte(c) & 15];
  }
}

bool is_shell_safe(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@%+=:,./-_").find(c) != std::string_view::npos;
}

std::string in_single_quotes(std::string_view argument) {
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted += '\'';
}

}  // namespace

std::string to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (true) {
    const std::size_t good = utf8_prefix(bytes);
    text += bytes.substr(0, good);
    if (good == bytes.size()) return text;
    bytes.remove_prefix(good);
    text += replacement;
    bytes.remove_prefix(next_sequence(bytes).length);
  }
}

bool is_utf8(std::string_view bytes) noexcept { return utf8_prefix(bytes) == bytes.size(); }

std::string_view first_line(std::string_view text) noexcept { return text.substr(0, text.find_first_of("\n\r")); }

std::string summary_line(std::string_view text, std::size_t limit) {
  if (limit == 0) return {};
  std::string line;
  line.reserve(std::min(text.size(), limit * 4));
  std::size_t characters = 0;
  std::size_t cut = 0;  // where the last character that fits with an ellipsis behind it ends
  while (!text.empty()) {
    if (characters == limit) {
      line.resize(cut);
      return line += ellipsis;
    }
    cut = line.size();
    const Sequence sequence = next_sequence(text);
    const std::string_view code_point = text.substr(0, sequence.length);
    if (!sequence.good) {
      line += replacement;
    } else if (is_control(code_point)) {
      line += ' ';
    } else {
      line += code_point;
    }
    ++characters;
    text.remove_prefix(sequence.length);
  }
  return line;
}

std::string_view first_characters(std::string_view text, std::size_t limit) noexcept {
  std::size_t at = 0;
  for (; limit > 0 && at < text.size(); --limit) at += next_sequence(text.substr(at)).length;
  return text.substr(0, at);
}

std::string_view last_characters(std::string_view text, std::size_t limit) noexcept {
  std::size_t at = text.size();
  for (; limit > 0 && at > 0; --limit) {
    std::size_t lead = at - 1;
    while (lead > 0 && at - lead < 4 && is_continuation(text[lead])) --lead;
    // A sequence that is not whole is as many characters as it has bytes.
    const Sequence sequence = next_sequence(text.substr(lead, at - lead));
    at = sequence.good && lead + sequence.length == at ? lead : at - 1;
  }
  return text.substr(at);
}

std::string shell_quote(std::string_view argument) {
  if (argument.empty() || !std::all_of(argument.begin(), argument.end(), is_shell_safe)) {
    return in_single_quotes(argument);
  }
  return std::string(argument);
}

std::string shell_quote(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    const bool first = &argument == &arguments.front();
    if (!first) line += ' ';
    // Without quotes a first word with '=' is an assignment and no command.
    const bool assignment = first && argument.find('=') != std::string::npos;
    line += assignment ? in_single_quotes(argument) : shell_quote(argument);
  }
  return line;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    const std::size_t plain = plain_json_prefix(text);
    out += text.substr(0, plain);
    if (plain == text.size()) break;
    text.remove_prefix(plain);
    const Sequence sequence = next_sequence(text);
    if (sequence.good) {
      append_escape(out, text[0]);
    } else {
      out += replacement;
    }
    text.remove_prefix(sequence.length);
  }
  out += '"';
}

}  // namespace agentrun
