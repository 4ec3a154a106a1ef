#include "agentrun/network_policy.hpp"
