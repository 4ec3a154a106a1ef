#include "agentrun/plugin.hpp"
#include "runtime.hpp"

AGENTRUN_RUNTIME_PLUGIN(agentrun::demo::DemoRuntime, "demo", AGENTRUN_VERSION)
