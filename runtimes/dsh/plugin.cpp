#include "agentrun/plugin.hpp"
#include "runtime.hpp"

AGENTRUN_RUNTIME_PLUGIN(agentrun::dsh::DshRuntime, "dsh", AGENTRUN_VERSION)
