#include "doctor/order.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentrun::host {
namespace {

constexpr std::array<std::string_view, 4> first_ones = {"claude-code", "codex", "pi", "dsh"};

auto rank(const std::string& name) { return std::ranges::find(first_ones, name) - first_ones.begin(); }

}  // namespace

std::vector<std::string> usual_order(std::vector<std::string> runtimes) {
  std::ranges::sort(runtimes, [](const std::string& left, const std::string& right) {
    return rank(left) != rank(right) ? rank(left) < rank(right) : left < right;
  });
  return without_repeats(runtimes);
}

std::vector<std::string> without_repeats(const std::vector<std::string>& runtimes) {
  std::vector<std::string> once;
  for (const std::string& name : runtimes) {
    if (std::ranges::find(once, name) == once.end()) once.push_back(name);
  }
  return once;
}

}  // namespace agentrun::host
