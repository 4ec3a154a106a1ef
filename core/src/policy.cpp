#include "agentrun/policy.hpp"
