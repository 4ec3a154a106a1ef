#include "session/sha256.hpp"
