#include "filter_program.hpp"

#include <cstddef>

namespace agentrun::seccomp {
namespace {

#include "filter_bytes.inc"

template <std::size_t size>
std::string_view view(const unsigned char (&bytes)[size]) noexcept {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

std::string_view filter_program(FilterKind kind) noexcept {
  switch (kind) {
    case FilterKind::open_network:
      return view(open_network_bytes);
    case FilterKind::own_network:
      return view(own_network_bytes);
    case FilterKind::supervised:
      break;
  }
  return view(supervised_bytes);
}

}  // namespace agentrun::seccomp
