#include "agentrun/deny_read.hpp"
