#pragma once
// A turn of the script in OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses-streaming

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model_server.hpp"

namespace agentrun::testing {

/// POST /v1/responses, with or without a query.
[[nodiscard]] bool is_responses(const ModelRequest& request);

/// Events of answer `number`, its calls named "call_NUMBER_INDEX". A call whose arguments are no JSON object is one of
/// a custom tool, which takes a text.
[[nodiscard]] std::vector<std::string> responses(std::string_view model, const ModelTurn& turn, std::size_t number);

}  // namespace agentrun::testing
