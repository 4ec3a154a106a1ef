#include "agentrun/host_rule.hpp"
