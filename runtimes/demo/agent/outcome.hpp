#pragma once

#include <string>

namespace demo {

/// How a step went.
struct Outcome {
  bool ok = true;
  std::string detail;  ///< one line: what was found, or why not
};

}  // namespace demo
