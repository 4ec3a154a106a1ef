#include "session/environment.hpp"
