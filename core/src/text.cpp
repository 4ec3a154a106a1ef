#include "agentrun/text.hpp"
