#include "json_line.hpp"

#include "agentrun/text.hpp"

namespace agentrun::json {

namespace {

namespace dom = simdjson::dom;

// Longer lines are rare (a tool's whole output, an image) and get a parser of their own.
constexpr std::size_t long_line = 1024 * 1024;

bool can_be_repaired(simdjson::error_code error) {
  return error == simdjson::UTF8_ERROR || error == simdjson::STRING_ERROR || error == simdjson::NUMBER_ERROR;
}

std::optional<unsigned> hex4(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  unsigned value = 0;
  for (const char c : text.substr(0, 4)) {
    unsigned digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a' + 10);
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A' + 10);
    } else {
      return std::nullopt;
    }
    value = value * 16 + digit;
  }
  return value;
}

/// Copies the escape that `rest` begins with. Returns how many bytes it took.
std::size_t copy_escape(std::string_view rest, std::string& out) {
  constexpr std::size_t length = 6;  // \uXXXX
  const auto unit = rest.starts_with("\\u") ? hex4(rest.substr(2)) : std::nullopt;
  if (!unit || *unit < 0xD800 || *unit > 0xDFFF) {
    const std::size_t count = std::min<std::size_t>(rest.size(), 2);
    out.append(rest.substr(0, count));
    return count;
  }
  const std::string_view next = rest.substr(length);
  const auto second = next.starts_with("\\u") ? hex4(next.substr(2)) : std::nullopt;
  if (*unit <= 0xDBFF && second && *second >= 0xDC00 && *second <= 0xDFFF) {
    out.append(rest.substr(0, 2 * length));
    return 2 * length;
  }
  out.append("\\ufffd");
  return length;
}

/// Copies the number that `rest` begins with.
std::size_t copy_number(std::string_view rest, std::string& out) {
  constexpr std::size_t fits_64_bits = 18;  // digits
  const std::size_t end = std::min(rest.find_first_not_of("+-.0123456789eE"), rest.size());
  const std::string_view number = rest.substr(0, end);
  out.append(number);
  if (number.size() > fits_64_bits && number.find_first_of(".eE") == std::string_view::npos) out.append("e0");
  return end;
}

}  // namespace

std::string repaired_json(std::string_view line) {
  const std::string text = to_utf8(line);
  const std::string_view view = text;
  std::string out;
  out.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  bool in_string = false;
  for (std::size_t i = 0; i < view.size();) {
    const char c = view[i];
    if (in_string && c == '\\') {
      i += copy_escape(view.substr(i), out);
    } else if (!in_string && (c == '-' || (c >= '0' && c <= '9'))) {
      i += copy_number(view.substr(i), out);
    } else {
      if (c == '"') in_string = !in_string;
      out.push_back(c);
      ++i;
    }
  }
  return out;
}

std::optional<dom::element> JsonLine::parse(std::string_view line) {
  large_.reset();
  if (line.size() > long_line) large_ = std::make_unique<dom::parser>();
  dom::parser& parser = large_ ? *large_ : parser_;
  dom::element element;
  auto error = parser.parse(line.data(), line.size(), false).get(element);
  if (can_be_repaired(error)) error = parser.parse(repaired_json(line)).get(element);
  if (error != simdjson::SUCCESS) return std::nullopt;
  return element;
}

std::string_view text_member(dom::element object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) return {};
  return text;
}

std::optional<std::uint64_t> count_member(dom::element object, std::string_view key) {
  std::uint64_t count = 0;
  if (object[key].get(count) != simdjson::SUCCESS) return std::nullopt;
  return count;
}

std::string joined_text_parts(dom::array parts) {
  std::string text;
  bool first = true;
  for (const dom::element part : parts) {
    if (text_member(part, "type") != "text") continue;
    if (!first) text.push_back('\n');
    first = false;
    text.append(text_member(part, "text"));
  }
  return text;
}

}  // namespace agentrun::json
