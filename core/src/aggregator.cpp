#include "agentrun/aggregator.hpp"
