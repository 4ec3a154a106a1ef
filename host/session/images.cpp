#include "session/images.hpp"
