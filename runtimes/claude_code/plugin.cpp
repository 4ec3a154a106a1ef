#include "agentrun/plugin.hpp"
#include "runtime.hpp"

AGENTRUN_RUNTIME_PLUGIN(agentrun::claude_code::ClaudeRuntime, "claude-code", AGENTRUN_VERSION)
