#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::claude_code {

/// The line for standard input: the prompt, behind the images when there are any.
[[nodiscard]] Result<std::string> user_message(std::string_view prompt,
                                               const std::vector<std::filesystem::path>& images);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace agentrun::claude_code
