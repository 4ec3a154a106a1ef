#include "notifications.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace agentrun::landlock {
namespace {

// Linux 6.6: the answering thread is woken on the same processor.
constexpr unsigned long set_flags = _IOW('!', 4, std::uint64_t);
constexpr std::uint64_t wake_up_synchronously = 1;

}  // namespace

Notifications::Notifications(Descriptor listener) : listener_(std::move(listener)) {
  seccomp_notif_sizes sizes{};
  ::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes);
  const auto words = [](std::size_t known, std::size_t bytes) { return std::max(known, bytes) / 8 + 1; };
  call_.resize(words(sizeof(seccomp_notif), sizes.seccomp_notif));
  answer_.resize(words(sizeof(seccomp_notif_resp), sizes.seccomp_notif_resp));
  ::ioctl(listener_.get(), set_flags, wake_up_synchronously);
}

const seccomp_notif* Notifications::receive() {
  std::fill(call_.begin(), call_.end(), 0);
  auto* const call = reinterpret_cast<seccomp_notif*>(call_.data());
  return ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, call) == 0 ? call : nullptr;
}

bool Notifications::waits(std::uint64_t id) const noexcept {
  return ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void Notifications::return_file(std::uint64_t id, int file, bool close_on_exec) noexcept {
  seccomp_notif_addfd added{};
  added.id = id;
  added.srcfd = static_cast<std::uint32_t>(file);
  added.newfd_flags = close_on_exec ? O_CLOEXEC : 0;
  added.flags = SECCOMP_ADDFD_FLAG_SEND;  // Linux 5.14
  if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &added) >= 0) return;
  if (errno != EINVAL) return fail(id, errno);
  added.flags = 0;
  const int number = ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &added);
  if (number < 0) return fail(id, errno);
  answer(id, number, 0);
}

bool Notifications::replace_file(std::uint64_t id, int file, int number, bool close_on_exec) noexcept {
  seccomp_notif_addfd added{};
  added.id = id;
  added.flags = SECCOMP_ADDFD_FLAG_SETFD;
  added.srcfd = static_cast<std::uint32_t>(file);
  added.newfd = static_cast<std::uint32_t>(number);
  added.newfd_flags = close_on_exec ? O_CLOEXEC : 0;
  return ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &added) >= 0;
}

void Notifications::let_pass(std::uint64_t id) noexcept { answer(id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE); }

void Notifications::answer(std::uint64_t id, std::int64_t value, int error, std::uint32_t flags) noexcept {
  std::fill(answer_.begin(), answer_.end(), 0);
  auto* const response = reinterpret_cast<seccomp_notif_resp*>(answer_.data());
  response->id = id;
  response->val = value;
  response->error = error;
  response->flags = flags;
  // ENOENT: the thread is gone.
  ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, response);
}

}  // namespace agentrun::landlock
