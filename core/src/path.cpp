#include "agentrun/path.hpp"
