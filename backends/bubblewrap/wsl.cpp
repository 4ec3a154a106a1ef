#include "wsl.hpp"

namespace agentrun::bwrap {

bool is_wsl1(std::string_view release) noexcept {
  while (!release.empty() && (release.back() == '\n' || release.back() == ' ')) release.remove_suffix(1);
  return release.ends_with("-Microsoft");
}

}  // namespace agentrun::bwrap
