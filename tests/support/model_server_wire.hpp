#pragma once
// How a turn of the script looks in a model service's protocol.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model_server.hpp"

namespace agentrun::testing {

/// The body of an error answer.
[[nodiscard]] std::string error_body(const ModelTurn& turn);

/// The pieces of a stream of server-sent events, in order; empty for a target that is no model service.
[[nodiscard]] std::vector<std::string> stream_pieces(const ModelRequest& request, const ModelTurn& turn,
                                                     std::size_t number);

}  // namespace agentrun::testing
