#pragma once

#include <string>

#include "outcome.hpp"

namespace demo {

[[nodiscard]] Outcome write_file(const std::string& path, const std::string& text);

/// Tells the size and shows nothing of the content: the demo is run on files that hold secrets.
[[nodiscard]] Outcome read_file(const std::string& path);

}  // namespace demo
