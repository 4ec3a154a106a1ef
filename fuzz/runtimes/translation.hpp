#pragma once

#include <string>
#include <string_view>

#include "agentrun/runtime.hpp"

namespace agentrun::fuzz {

/// Translates `output` line by line and returns the events as JSON lines. Each line lies in memory of its own, with
/// exactly the padding that was promised, filled with `padding`: reading further is found by the address sanitizer.
[[nodiscard]] std::string translate(Translator& translator, std::string_view output, char padding);

/// Requires of the events what holds for all of them.
void check_events(std::string_view events);

}  // namespace agentrun::fuzz
