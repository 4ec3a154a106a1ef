#include "agentrun/plugin.hpp"
#include "runtime.hpp"

AGENTRUN_RUNTIME_PLUGIN(agentrun::pi::PiRuntime, "pi", AGENTRUN_VERSION)
