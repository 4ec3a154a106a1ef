#pragma once
// The access rights of Landlock by the ABI that brought them (linux/landlock.h of Linux 6.18; older headers lack some).

#include <cstdint>

namespace agentrun::landlock {

namespace right {
inline constexpr std::uint64_t execute = 1U << 0;
inline constexpr std::uint64_t write_file = 1U << 1;
inline constexpr std::uint64_t read_file = 1U << 2;
inline constexpr std::uint64_t read_dir = 1U << 3;
inline constexpr std::uint64_t remove_dir = 1U << 4;
inline constexpr std::uint64_t remove_file = 1U << 5;
inline constexpr std::uint64_t make_char = 1U << 6;
inline constexpr std::uint64_t make_dir = 1U << 7;
inline constexpr std::uint64_t make_reg = 1U << 8;
inline constexpr std::uint64_t make_sock = 1U << 9;
inline constexpr std::uint64_t make_fifo = 1U << 10;
inline constexpr std::uint64_t make_block = 1U << 11;
inline constexpr std::uint64_t make_sym = 1U << 12;
inline constexpr std::uint64_t refer = 1U << 13;      // ABI 2, Linux 5.19
inline constexpr std::uint64_t truncate = 1U << 14;   // ABI 3, Linux 6.2
inline constexpr std::uint64_t ioctl_dev = 1U << 15;  // ABI 5, Linux 6.10
}  // namespace right

inline constexpr std::uint64_t net_bind_tcp = 1U << 0;            // ABI 4, Linux 6.7
inline constexpr std::uint64_t scope_abstract_sockets = 1U << 0;  // ABI 6, Linux 6.12
inline constexpr std::uint64_t scope_signals = 1U << 1;

/// All rights that a kernel of this ABI can be told to handle.
[[nodiscard]] constexpr std::uint64_t handled(int abi) noexcept {
  std::uint64_t rights = (right::make_sym << 1) - 1;
  if (abi >= 2) rights |= right::refer;
  if (abi >= 3) rights |= right::truncate;
  if (abi >= 5) rights |= right::ioctl_dev;
  return rights;
}

inline constexpr std::uint64_t for_files =
    right::execute | right::write_file | right::read_file | right::truncate | right::ioctl_dev;
inline constexpr std::uint64_t reading = right::execute | right::read_file | right::read_dir;
inline constexpr std::uint64_t writing_files = right::write_file | right::truncate;
/// Everything but devices: a node made there, or one that lay there, leads to the disk.
inline constexpr std::uint64_t working = reading | writing_files | right::remove_dir | right::remove_file |
                                         right::make_dir | right::make_reg | right::make_sock | right::make_fifo |
                                         right::make_sym | right::refer;
inline constexpr std::uint64_t device = right::read_file | right::write_file | right::truncate | right::ioctl_dev;

}  // namespace agentrun::landlock
