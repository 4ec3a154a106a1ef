#include "agentrun/ipv4.hpp"

namespace agentrun {
namespace {

constexpr std::uint32_t address(std::uint32_t a, std::uint32_t b) { return a << 24 | b << 16; }

struct Block {
  std::uint32_t network;
  int bits;
};

constexpr Block private_blocks[] = {{address(0, 0), 8},     {address(10, 0), 8},     {address(100, 64), 10},
                                    {address(127, 0), 8},   {address(169, 254), 16}, {address(172, 16), 12},
                                    {address(192, 168), 16}};

}  // namespace

std::optional<std::uint32_t> parse_ipv4(std::string_view text) noexcept {
  std::uint32_t result = 0;
  std::size_t at = 0;
  for (int part = 0; part < 4; ++part) {
    if (part != 0) {
      if (at == text.size() || text[at] != '.') return std::nullopt;
      ++at;
    }
    const std::size_t begin = at;
    std::uint32_t value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - begin < 3) {
      value = value * 10 + static_cast<std::uint32_t>(text[at] - '0');
      ++at;
    }
    const bool leading_zero = at - begin > 1 && text[begin] == '0';
    if (at == begin || leading_zero || value > 255) return std::nullopt;
    result = result << 8 | value;
  }
  if (at != text.size()) return std::nullopt;
  return result;
}

std::string format_ipv4(std::uint32_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += std::to_string(address >> shift & 0xff);
    if (shift != 0) text += '.';
  }
  return text;
}

bool is_private_ipv4(std::uint32_t address) noexcept {
  for (const Block& block : private_blocks) {
    if ((address ^ block.network) >> (32 - block.bits) == 0) return true;
  }
  return false;
}

}  // namespace agentrun
