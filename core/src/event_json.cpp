#include "agentrun/event.hpp"
