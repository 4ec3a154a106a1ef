#include "session/session_directory.hpp"
