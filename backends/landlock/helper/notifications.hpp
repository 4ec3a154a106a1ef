#pragma once
// Calls of confined threads that wait for an answer (seccomp_unotify(2)).

#include <linux/seccomp.h>

#include <cstdint>
#include <vector>

#include "caller.hpp"
#include "descriptor.hpp"

namespace agentrun::landlock {

class Notifications {
 public:
  explicit Notifications(Descriptor listener);

  [[nodiscard]] int get() const noexcept { return listener_.get(); }
  /// The next call, valid until the one after; null when there is none any more.
  [[nodiscard]] const seccomp_notif* receive();
  /// The thread still waits. What was read of it before this answer was its own, and not a stranger's who got its
  /// number.
  [[nodiscard]] bool waits(std::uint64_t id) const noexcept;

  void succeed(std::uint64_t id) noexcept { answer(id, 0, 0); }
  /// The kernel carries the call out as if nobody had been asked. Only for calls that Landlock judges itself: their
  /// arguments may have changed since they were looked at.
  void let_pass(std::uint64_t id) noexcept;
  /// `error` is a number of errno.
  void fail(std::uint64_t id, int error) noexcept { answer(id, 0, -error); }
  /// The call returns the number under which the thread gets the file.
  void return_file(std::uint64_t id, int file, bool close_on_exec) noexcept;
  /// Puts the file in the place of the thread's `number`. False, with errno: nothing was replaced.
  [[nodiscard]] bool replace_file(std::uint64_t id, int file, int number, bool close_on_exec) noexcept;

 private:
  void answer(std::uint64_t id, std::int64_t value, int error, std::uint32_t flags = 0) noexcept;

  Descriptor listener_;
  // A newer kernel's structures may be larger than this program's.
  std::vector<std::uint64_t> call_;
  std::vector<std::uint64_t> answer_;
};

}  // namespace agentrun::landlock
