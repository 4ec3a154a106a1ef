#include "session/search_path.hpp"
