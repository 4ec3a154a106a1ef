#include "system_call_filter.hpp"

namespace agentrun::bwrap {

std::string_view system_call_filter(Loopback) noexcept { return {}; }

}  // namespace agentrun::bwrap
