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

/// The up to eight bytes before `end`, the last one on top.
std::uint64_t chunk_before(const char* text, std::size_t end) noexcept {
  std::uint64_t chunk = 0;
  if (end >= 8) {
    std::memcpy(&chunk, text + end - 8, 8);
    return chunk;
  }
  std::memcpy(&chunk, text, end);
  return chunk << (8 * (8 - end));
}

/// Calls `visit(start, hash, depth)` for each suffix that begins at a label, shortest first, until it returns true.
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
      const auto behind = static_cast<unsigned>(std::countl_zero(marks));  // bits of the label's part in this chunk
      hash = mix(hash, behind == 0 ? 0 : chunk >> (64 - behind));
      end -= behind / 8;
      if (visit(end, hash, ++depth)) return;
      --end;
    } else {
      hash = mix(hash, chunk);
      if (end <= 8) {
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
  std::vector<std::string_view> order;
  for (const HostRule& rule : rules) {
    auto& same = by_host[rule.host];
    if (same.empty()) order.push_back(rule.host);
    same.push_back(&rule);
  }
  std::vector<std::uint64_t> hashes;
  for (const std::string_view host : order) {
    const Whole whole = hash_whole(host);
    Entry entry;
    entry.text = static_cast<std::uint32_t>(arena_.size());
    entry.length = static_cast<std::uint8_t>(host.size());
    entry.extra_ports = static_cast<std::uint32_t>(extra_ports_.size());
    for (const HostRule* rule : by_host[host]) {
      const std::uint8_t standard = standard_ports(*rule);
      entry.standard = static_cast<std::uint8_t>(entry.standard | standard);
      if (standard == 0) extra_ports_.push_back({*rule->port, rule->wildcard});
      (rule->wildcard ? wildcard_depths_ : exact_depths_) |= depth_bit(whole.depth);
    }
    entry.extra_count = static_cast<std::uint32_t>(extra_ports_.size()) - entry.extra_ports;
    arena_ += host;
    entries_.push_back(entry);
    hashes.push_back(whole.hash);
  }
  if (!entries_.empty()) place_all(hashes);
}

void HostTable::place_all(const std::vector<std::uint64_t>& hashes) {
  std::size_t size = std::bit_ceil(hashes.size() * 2);
  // Names with the very same hash stay neighbours in any table: four times larger is where trying ends.
  const std::size_t largest = size * 4;
  do {
    tags_.assign(size, 0);
    slots_.assign(size, 0);
    longest_probe_ = 0;
    for (std::size_t at = 0; at < hashes.size(); ++at) {
      std::size_t slot = hashes[at] & (size - 1);
      std::size_t probe = 1;
      for (; tags_[slot] != 0; ++probe) slot = (slot + 1) & (size - 1);
      tags_[slot] = tag_of(hashes[at]);
      slots_[slot] = static_cast<std::uint32_t>(at);
      longest_probe_ = std::max(longest_probe_, probe);
    }
    size *= 2;
  } while (longest_probe_ > probe_goal && size <= largest);
}

const HostTable::Entry* HostTable::entry(std::string_view text, std::uint64_t hash) const noexcept {
  const std::size_t mask = tags_.size() - 1;
  const std::uint16_t tag = tag_of(hash);
  std::size_t slot = hash & mask;
  for (std::size_t probe = 0; probe < longest_probe_; ++probe, slot = (slot + 1) & mask) {
    if (tags_[slot] == 0) return nullptr;
    if (tags_[slot] != tag) continue;
    const Entry& found = entries_[slots_[slot]];
    if (found.length == text.size() && std::memcmp(arena_.data() + found.text, text.data(), text.size()) == 0) {
      return &found;
    }
  }
  return nullptr;
}

bool HostTable::grants(const Entry& entry, bool wildcard, std::uint16_t port) const noexcept {
  const unsigned standard = wildcard ? entry.standard >> wildcard_shift : entry.standard;
  if (port == 443) return (standard & exact_443) != 0;
  if (port == 80) return (standard & exact_80) != 0;
  const auto begin = extra_ports_.begin() + entry.extra_ports;
  return std::any_of(begin, begin + entry.extra_count,
                     [&](const ExtraPort& extra) { return extra.port == port && extra.wildcard == wildcard; });
}

Grant HostTable::find(std::string_view host, std::uint16_t port) const noexcept {
  if (entries_.empty() || host.empty()) return Grant::none;
  Grant best = Grant::none;
  for_each_suffix(host, [&](std::size_t start, std::uint64_t hash, unsigned depth) {
    const bool whole = start == 0;
    const std::uint64_t depths = whole ? exact_depths_ : wildcard_depths_;
    if ((depths & depth_bit(depth)) == 0) return false;
    if (!whole && best == Grant::wildcard) return false;
    const Entry* found = entry(host.substr(start), hash);
    if (found != nullptr && grants(*found, !whole, port)) best = whole ? Grant::exact : Grant::wildcard;
    return false;
  });
  return best;
}

}  // namespace agentrun
