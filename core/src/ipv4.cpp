#include "agentrun/ipv4.hpp"
