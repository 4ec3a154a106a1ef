#include "own_sandbox.hpp"

namespace agentrun::claude_code {

const char* own_sandbox() noexcept { return "seatbelt"; }

}  // namespace agentrun::claude_code
