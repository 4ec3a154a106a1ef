#include "session/credentials.hpp"
