#include "agentrun/plugin.hpp"

#include "codex_backend.hpp"

AGENTRUN_BACKEND_PLUGIN(agentrun::codex::CodexBackend, "codex", AGENTRUN_VERSION)
