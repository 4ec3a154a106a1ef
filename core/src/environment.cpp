#include "agentrun/environment.hpp"
