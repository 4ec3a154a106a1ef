#include "caller.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace agentrun::landlock {
namespace {

/// The number behind `name` in a file of lines "name:\tNUMBER".
std::optional<unsigned long> number_in(const std::string& path, const char* name, int base) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[2048];
  const ssize_t size = ::read(file.get(), text, sizeof text - 1);
  if (size <= 0) return std::nullopt;
  text[size] = '\0';
  const char* found = std::strstr(text, name);
  if (found == nullptr) return std::nullopt;
  return std::strtoul(found + std::strlen(name), nullptr, base);
}

}  // namespace

std::string Caller::proc(const char* rest) const { return "/proc/" + std::to_string(thread_) + rest; }

bool Caller::read(std::uint64_t address, void* to, std::size_t size) const noexcept {
  const iovec here{to, size};
  const iovec there{reinterpret_cast<void*>(address), size};
  if (::process_vm_readv(thread_, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size)) return true;
  if (errno != ENOSYS && errno != EPERM) return false;
  // A container's own filter may refuse the call and not the file.
  const Descriptor memory(::open(proc("/mem").c_str(), O_RDONLY | O_CLOEXEC));
  return memory.valid() && ::pread(memory.get(), to, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
}

std::optional<std::string> Caller::text(std::uint64_t address) const {
  constexpr std::size_t page = 4096;
  std::string text;
  while (text.size() < PATH_MAX) {
    // Up to the end of a page: the next one may not be there.
    char part[page];
    const std::size_t size = page - (address + text.size()) % page;
    if (!read(address + text.size(), part, size)) {
      errno = EFAULT;
      return std::nullopt;
    }
    const std::size_t length = ::strnlen(part, size);
    text.append(part, length);
    if (length < size) return text;
  }
  errno = ENAMETOOLONG;
  return std::nullopt;
}

Descriptor Caller::borrow(int number) const noexcept {
  // Of a process, not of a thread, before Linux 6.9.
  const auto process = number_in(proc("/status"), "\nTgid:\t", 10);
  if (!process) return {};
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(*process), 0)));
  if (!handle.valid()) return {};
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_getfd, handle.get(), number, 0)));
}

std::optional<OpenFlags> Caller::socket_flags(int number) const {
  const std::string digits = std::to_string(number);
  char target[64];
  const ssize_t size = ::readlink(proc(("/fd/" + digits).c_str()).c_str(), target, sizeof target);
  if (size < 0) {
    errno = EBADF;
    return std::nullopt;
  }
  if (!std::string_view(target, static_cast<std::size_t>(size)).starts_with("socket:")) {
    errno = ENOTSOCK;
    return std::nullopt;
  }
  const auto flags = number_in(proc(("/fdinfo/" + digits).c_str()), "flags:\t", 8);
  if (!flags) return std::nullopt;
  return OpenFlags{(*flags & O_NONBLOCK) != 0, (*flags & O_CLOEXEC) != 0};
}

Descriptor Caller::working_directory() const {
  return Descriptor(::open(proc("/cwd").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

Descriptor Caller::reopen(int number) const {
  Descriptor place(::open(proc(("/fd/" + std::to_string(number)).c_str()).c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) errno = EBADF;
  return place;
}

mode_t Caller::umask() const { return static_cast<mode_t>(number_in(proc("/status"), "Umask:\t", 8).value_or(022)); }

}  // namespace agentrun::landlock
