#pragma once
// The thread that waits for an answer: its memory, its descriptors. What is read here is the agent's and may change
// at any moment; each question copies once.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "descriptor.hpp"

namespace agentrun::landlock {

struct OpenFlags {
  bool nonblocking = false;
  bool close_on_exec = false;
};

class Caller {
 public:
  explicit Caller(pid_t thread) noexcept : thread_(thread) {}

  /// All of it or false.
  [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) const noexcept;
  /// A string up to its NUL. Nothing, with errno EFAULT or ENAMETOOLONG.
  [[nodiscard]] std::optional<std::string> text(std::uint64_t address) const;
  /// A copy of the descriptor, through which its own socket is reached: with it options, duplicates and waits (epoll)
  /// stay as they are. Invalid where pidfd_getfd(2) is not allowed, as in docker.
  [[nodiscard]] Descriptor borrow(int number) const noexcept;
  /// Nothing when it is no open socket; errno is EBADF or ENOTSOCK.
  [[nodiscard]] std::optional<OpenFlags> socket_flags(int number) const;
  [[nodiscard]] Descriptor working_directory() const;
  /// The same file as a place (O_PATH). Invalid, with errno EBADF.
  [[nodiscard]] Descriptor reopen(int number) const;
  [[nodiscard]] mode_t umask() const;

 private:
  [[nodiscard]] std::string proc(const char* rest) const;

  pid_t thread_;
};

}  // namespace agentrun::landlock
