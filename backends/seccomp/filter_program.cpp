#include "seccomp/filter_program.hpp"

#include "seccomp/filter_bytes.hpp"

namespace agentrun::seccomp {

std::string_view filter_program(FilterKind kind) noexcept {
  switch (kind) {
    case FilterKind::open_network:
      return open_network;
    case FilterKind::own_network:
      return own_network;
    case FilterKind::supervised:
      return supervised;
    case FilterKind::supervised_with_locks:
      break;
  }
  return supervised_with_locks;
}

}  // namespace agentrun::seccomp
