#pragma once
// A flat table from host names to the ports that rules grant. Built once; a look-up hashes the name once, from its
// right end, and so knows the hash of every suffix on the way. No look-up allocates.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "agentrun/host_rule.hpp"

namespace agentrun {

enum class Grant { none, wildcard, exact };

class HostTable {
 public:
  HostTable() = default;
  /// Hosts in their judged form (host_name.hpp), of less than 256 bytes.
  explicit HostTable(const std::vector<HostRule>& rules);

  /// The strongest grant for `host`, in its judged form, on `port`.
  [[nodiscard]] Grant find(std::string_view host, std::uint16_t port) const noexcept;

  /// How many slots a look-up of one name visits at most.
  [[nodiscard]] std::size_t longest_probe() const noexcept { return longest_probe_; }

 private:
  /// A host and the domain of a wildcard share a slot when they have the same text. One cache line, most names in it:
  /// a look-up in a large table waits for memory once.
  struct alignas(64) Slot {
    std::array<char, 48> head{};    ///< the text, or its start
    std::uint32_t text = 0;         ///< offset of the text in arena_
    std::uint32_t extra_ports = 0;  ///< index in extra_ports_
    std::uint32_t extra_count = 0;
    std::uint8_t length = 0;
    std::uint8_t standard = 0;  ///< bits: exact and wildcard grants of 443 and 80
  };
  struct ExtraPort {
    std::uint16_t port;
    bool wildcard;

    friend bool operator<(const ExtraPort& a, const ExtraPort& b) noexcept {
      return std::tie(a.port, a.wildcard) < std::tie(b.port, b.wildcard);
    }
  };
  struct Hashed {
    std::uint64_t hash = 0;
    Slot slot;
  };

  [[nodiscard]] Hashed gather(std::string_view host, const std::vector<const HostRule*>& rules);
  void place(const std::vector<Hashed>& entries);
  [[nodiscard]] const Slot* slot_of(std::string_view text, std::uint64_t hash) const noexcept;
  [[nodiscard]] bool grants(const Slot& slot, bool wildcard, std::uint16_t port) const noexcept;

  std::vector<std::uint16_t> tags_;  ///< a part of the hash for each slot, 0 when empty: most misses end here
  std::vector<Slot> slots_;
  std::vector<ExtraPort> extra_ports_;  ///< sorted for each host
  std::string arena_;
  std::uint64_t exact_depths_ = 0;     ///< bit n: some exact rule has n labels
  std::uint64_t wildcard_depths_ = 0;  ///< bit n: some wildcard's domain has n labels
  std::size_t longest_probe_ = 0;
};

}  // namespace agentrun
