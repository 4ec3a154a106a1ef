#include "agentrun/env_file.hpp"
