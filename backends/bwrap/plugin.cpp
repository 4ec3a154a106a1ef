#include "agentrun/plugin.hpp"

#include "bwrap_backend.hpp"

AGENTRUN_BACKEND_PLUGIN(agentrun::bwrap::BwrapBackend, "bwrap", AGENTRUN_VERSION)
