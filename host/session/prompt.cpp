#include "session/prompt.hpp"
