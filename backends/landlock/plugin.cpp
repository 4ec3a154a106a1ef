#include "agentrun/plugin.hpp"

#include "landlock_backend.hpp"

AGENTRUN_BACKEND_PLUGIN(agentrun::landlock::LandlockBackend, "landlock", AGENTRUN_VERSION)
