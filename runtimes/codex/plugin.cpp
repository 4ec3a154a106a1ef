#include "agentrun/plugin.hpp"

#include "runtime.hpp"

AGENTRUN_RUNTIME_PLUGIN(agentrun::codex::CodexRuntime, "codex", AGENTRUN_VERSION)
