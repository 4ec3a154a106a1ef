#include "host_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace agentrun {
namespace {

static_assert(std::endian::native == std::endian::little, "chunks of a name are read as little-endian numbers");

constexpr std::uint8_t exact_443 = 1;
constexpr std::uint8_t exact_80 = 2;
constexpr int wildcard_shift = 2;

/// A table is grown until no name is further from its slot, so that a queried name cannot cost much.
constexpr std::size_t probe_goal = 16;

std::uint64_t mix(std::uint64_t hash, std::uint64_t chunk) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(hash ^ chunk) * 0x9E3779B97F4A7C15U;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint16_t tag_of(std::uint64_t hash) noexcept { return static_cast<std::uint16_t>(hash >> 48 | 1); }

std::uint64_t depth_bit(unsigned depth) noexcept { return std::uint64_t{1} << std::min(depth, 63U); }

/// The up to eight bytes before `end`, the last one on top, zeros below.
std::uint64_t chunk_before(const char* text, std::size_t end) noexcept {
  std::uint64_t chunk = 0;
  if (end >= 8) {
    std::memcpy(&chunk, text + end - 8, 8);
  } else if (end > 0) {
    std::memcpy(&chunk, text, end);
    chunk <<= 8 * (8 - end);
  }
  return chunk;
}

/// Calls `visit(start, hash, depth)` for each suffix that begins at a label, shortest first, until it returns true.
/// The hash depends on the suffix alone. A label is mixed in as its chunks of eight bytes from the right, the last of
/// them with zero to seven.
template <class Visit>
void for_each_suffix(std::string_view name, Visit visit) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7F;
  std::uint64_t hash = 0x2545F4914F6CDD1D;
  std::size_t end = name.size();
  unsigned depth = 0;
  while (true) {
    const std::uint64_t chunk = chunk_before(name.data(), end);
    const std::uint64_t dots = chunk ^ (ones * '.');
    // The top bit of each byte that is a dot.
    const std::uint64_t marks = ~(((dots & low_bits) + low_bits) | dots | low_bits);
    if (marks != 0) {
      const auto other_bits = 64 - static_cast<unsigned>(std::countl_zero(marks));  // the dot and what is before it
      hash = mix(hash, other_bits == 64 ? 0 : chunk >> other_bits << other_bits);
      end -= 8 - other_bits / 8;
      if (visit(end, hash, ++depth)) return;
      --end;
    } else {
      hash = mix(hash, chunk);
      if (end < 8) {
        visit(std::size_t{0}, hash, ++depth);
        return;
      }
      end -= 8;
    }
  }
}

struct Whole {
  std::uint64_t hash = 0;
  unsigned depth = 0;
};

Whole hash_whole(std::string_view name) noexcept {
  Whole whole;
  for_each_suffix(name, [&whole](std::size_t, std::uint64_t hash, unsigned depth) {
    whole = {hash, depth};
    return false;
  });
  return whole;
}

std::uint8_t standard_ports(const HostRule& rule) {
  unsigned bits = 0;
  if (!rule.port || *rule.port == 443) bits |= exact_443;
  if (!rule.port || *rule.port == 80) bits |= exact_80;
  return static_cast<std::uint8_t>(rule.wildcard ? bits << wildcard_shift : bits);
}

}  // namespace

HostTable::HostTable(const std::vector<HostRule>& rules) {
  std::unordered_map<std::string_view, std::vector<const HostRule*>> by_host;
  for (const HostRule& rule : rules) by_host[rule.host].push_back(&rule);
  std::vector<Hashed> entries;
  entries.reserve(by_host.size());
  for (const auto& [host, same_host] : by_host) entries.push_back(gather(host, same_host));
  if (!entries.empty()) place(entries);
}

HostTable::Hashed HostTable::gather(std::string_view host, const std::vector<const HostRule*>& rules) {
  const Whole whole = hash_whole(host);
  Slot slot;
  host.copy(slot.head.data(), slot.head.size());
  slot.text = static_cast<std::uint32_t>(arena_.size());
  slot.length = static_cast<std::uint8_t>(host.size());
  slot.extra_ports = static_cast<std::uint32_t>(extra_ports_.size());
  for (const HostRule* rule : rules) {
    const std::uint8_t standard = standard_ports(*rule);
    slot.standard = static_cast<std::uint8_t>(slot.standard | standard);
    if (standard == 0) extra_ports_.push_back({*rule->port, rule->wildcard});
    (rule->wildcard ? wildcard_depths_ : exact_depths_) |= depth_bit(whole.depth);
  }
  std::sort(extra_ports_.begin() + slot.extra_ports, extra_ports_.end());
  slot.extra_count = static_cast<std::uint32_t>(extra_ports_.size()) - slot.extra_ports;
  arena_ += host;
  return {whole.hash, slot};
}

void HostTable::place(const std::vector<Hashed>& entries) {
  std::size_t size = std::bit_ceil(entries.size() * 2);
  // Names with the very same hash stay neighbours in any table: four times larger is where trying ends.
  const std::size_t largest = size * 4;
  do {
    tags_.assign(size, 0);
    slots_.assign(size, {});
    longest_probe_ = 0;
    for (const Hashed& entry : entries) {
      std::size_t at = entry.hash & (size - 1);
      std::size_t probe = 1;
      for (; tags_[at] != 0; ++probe) at = (at + 1) & (size - 1);
      tags_[at] = tag_of(entry.hash);
      slots_[at] = entry.slot;
      longest_probe_ = std::max(longest_probe_, probe);
    }
    size *= 2;
  } while (longest_probe_ > probe_goal && size <= largest);
}

const HostTable::Slot* HostTable::slot_of(std::string_view text, std::uint64_t hash) const noexcept {
  const std::size_t mask = tags_.size() - 1;
  const std::uint16_t tag = tag_of(hash);
  std::size_t at = hash & mask;
  for (std::size_t probe = 0; probe < longest_probe_; ++probe, at = (at + 1) & mask) {
    if (tags_[at] == 0) return nullptr;
    if (tags_[at] != tag) continue;
    const Slot& slot = slots_[at];
    if (slot.length != text.size()) continue;
    const char* const same_length = slot.length <= slot.head.size() ? slot.head.data() : arena_.data() + slot.text;
    if (std::memcmp(same_length, text.data(), text.size()) == 0) return &slot;
  }
  return nullptr;
}

bool HostTable::grants(const Slot& slot, bool wildcard, std::uint16_t port) const noexcept {
  const unsigned standard = wildcard ? slot.standard >> wildcard_shift : slot.standard;
  if (port == 443) return (standard & exact_443) != 0;
  if (port == 80) return (standard & exact_80) != 0;
  const auto begin = extra_ports_.begin() + slot.extra_ports;
  return std::binary_search(begin, begin + slot.extra_count, ExtraPort{port, wildcard});
}

Grant HostTable::find(std::string_view host, std::uint16_t port) const noexcept {
  if (slots_.empty() || host.empty()) return Grant::none;
  const std::uint64_t any_depth = exact_depths_ | wildcard_depths_;
  Grant best = Grant::none;
  for_each_suffix(host, [&](std::size_t start, std::uint64_t hash, unsigned depth) {
    const std::uint64_t bit = depth_bit(depth);
    // No rule has that many labels: what an attacker puts in front costs nothing.
    if (any_depth < bit) return true;
    const bool whole = start == 0;
    if (((whole ? exact_depths_ : wildcard_depths_) & bit) == 0) return false;
    const Slot* found = slot_of(host.substr(start), hash);
    if (found != nullptr && grants(*found, !whole, port)) best = whole ? Grant::exact : Grant::wildcard;
    return false;
  });
  return best;
}

}  // namespace agentrun
