#pragma once
// PATH of claude's own process, which runs outside its sandbox and looks for bwrap, socat, git and npm there.

#include "agentrun/runtime.hpp"

namespace agentrun::claude_code {

/// Takes from claude's process what the agent could fill with programs, and gives it back to the commands inside the
/// sandbox. Does nothing where there is no such entry.
void keep_planted_programs_out(const LaunchContext& context, Launch& launch);

}  // namespace agentrun::claude_code
