#include "agentrun/usage.hpp"
