#include "session/sandbox_mode.hpp"
