#pragma once
// The smallest HTTP client that shows what a proxy says.

#include <string>

#include "outcome.hpp"

namespace demo {

/// GET of an http:// URL, through HTTP_PROXY when it is set (absolute form), else directly. The detail is the status
/// and the first line of the body; only 2xx counts as ok. Gives up after 10 s without an answer.
[[nodiscard]] Outcome fetch(const std::string& url);

}  // namespace demo
