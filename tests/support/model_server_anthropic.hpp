#pragma once
// A turn of the script in Anthropic's Messages API: https://docs.anthropic.com/en/api/messages-streaming

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model_server.hpp"

namespace agentrun::testing {

/// POST /v1/messages, with or without a query; not /v1/messages/count_tokens.
[[nodiscard]] bool is_anthropic_messages(const ModelRequest& request);

/// Events of answer `number`, its calls named "toolu_NUMBER_INDEX".
[[nodiscard]] std::vector<std::string> anthropic_messages(std::string_view model, const ModelTurn& turn,
                                                          std::size_t number);

}  // namespace agentrun::testing
