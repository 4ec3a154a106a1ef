#include "agentrun/host_name.hpp"
