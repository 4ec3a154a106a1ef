#pragma once
// One line of a runtime's output as JSON.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "agentrun/runtime.hpp"

namespace agentrun::json {

class JsonLine {
 public:
  /// Nothing for what is not JSON. The element lives until the next call. `line` is parsed in place and needs
  /// Translator::line_padding readable bytes behind it.
  [[nodiscard]] std::optional<simdjson::dom::element> parse(std::string_view line);

 private:
  simdjson::dom::parser parser_;
  std::unique_ptr<simdjson::dom::parser> large_;  ///< for one long line, so that its memory goes with it
};

static_assert(Translator::line_padding >= simdjson::SIMDJSON_PADDING);

/// Valid UTF-8; lone surrogates, which JavaScript writes as "\ud83d" and a strict parser refuses, as "\ufffd"; integers
/// too long for 64 bits marked as floating point. All other bytes as they are.
[[nodiscard]] std::string repaired_json(std::string_view line);

/// The member of an object as text; empty when it is not there or no string.
[[nodiscard]] std::string_view text_member(simdjson::dom::element object, std::string_view key);

/// The member of an object as a number that counts something; nothing when it is not there or no such number.
[[nodiscard]] std::optional<std::uint64_t> count_member(simdjson::dom::element object, std::string_view key);

/// The texts of an array's parts {"type":"text","text":…}, joined by newlines; other parts are left out.
[[nodiscard]] std::string joined_text_parts(simdjson::dom::array parts);

}  // namespace agentrun::json
