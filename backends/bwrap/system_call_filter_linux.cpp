#include "seccomp/filter_program.hpp"
#include "system_call_filter.hpp"

namespace agentrun::bwrap {

std::string_view system_call_filter(Loopback loopback) noexcept {
  using seccomp::FilterKind;
  return seccomp::filter_program(loopback == Loopback::own ? FilterKind::own_network : FilterKind::open_network);
}

}  // namespace agentrun::bwrap
