#include "metadata.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cerrno>
#include <functional>
#include <vector>

#include "target.hpp"

namespace agentrun::landlock {
namespace {

int number_of(std::uint64_t argument) { return static_cast<int>(argument); }

/// One call, its arguments read on demand. Failing to read is remembered as EFAULT.
class Change {
 public:
  Change(const seccomp_data& call, const Caller& caller, const Options& options)
      : call_(call), caller_(caller), options_(options) {}

  [[nodiscard]] std::optional<int> make();

 private:
  using Action = std::function<int(const Descriptor& held, const std::string& link)>;

  [[nodiscard]] int on(const Place& place, const Action& action) const;
  [[nodiscard]] int on_path(int number, unsigned path, bool follow, const Action& action) const;
  [[nodiscard]] int on_number(unsigned argument, const Action& action) const;
  /// With the flags of fchownat() and utimensat().
  [[nodiscard]] int on_flags(unsigned number, unsigned path, int flags, const Action& action) const;

  [[nodiscard]] Action mode(unsigned argument) const;
  [[nodiscard]] Action owner(unsigned argument) const;
  [[nodiscard]] Action set_attribute(unsigned argument) const;
  [[nodiscard]] Action remove_attribute(unsigned argument) const;
  /// `Time` is what the caller's memory holds two of; a null address means now.
  template <class Time>
  [[nodiscard]] Action times_from(unsigned argument) const;

  const seccomp_data& call_;
  const Caller& caller_;
  const Options& options_;
};

int result_of(int result) { return result == 0 ? 0 : errno; }

int Change::on(const Place& place, const Action& action) const {
  const Descriptor held = find(caller_, place);
  if (!held.valid()) return errno;
  if (!may_change(real_path(held), options_)) return EACCES;
  return action(held, link_to(held));
}

int Change::on_path(int number, unsigned path, bool follow, const Action& action) const {
  const auto text = caller_.text(call_.args[path]);
  if (!text) return errno;
  return text->empty() ? ENOENT : on({number, *text, follow}, action);
}

int Change::on_number(unsigned argument, const Action& action) const {
  const int number = number_of(call_.args[argument]);
  return number < 0 ? EBADF : on({number, {}, true}, action);
}

int Change::on_flags(unsigned number, unsigned path, int flags, const Action& action) const {
  if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0) return EINVAL;
  const auto text = caller_.text(call_.args[path]);
  if (!text) return errno;
  if (text->empty() && (flags & AT_EMPTY_PATH) == 0) return ENOENT;
  return on({number_of(call_.args[number]), *text, (flags & AT_SYMLINK_NOFOLLOW) == 0}, action);
}

Change::Action Change::mode(unsigned argument) const {
  return [wanted = static_cast<mode_t>(call_.args[argument])](const Descriptor&, const std::string& link) {
    return result_of(::chmod(link.c_str(), wanted & 07777));
  };
}

Change::Action Change::owner(unsigned argument) const {
  return [user = static_cast<uid_t>(call_.args[argument]), group = static_cast<gid_t>(call_.args[argument + 1])](
             const Descriptor& held, const std::string&) {
    return result_of(::fchownat(held.get(), "", user, group, AT_EMPTY_PATH));
  };
}

Change::Action Change::set_attribute(unsigned argument) const {
  return [this, argument](const Descriptor&, const std::string& link) {
    const auto name = caller_.text(call_.args[argument]);
    if (!name) return errno;
    const std::uint64_t size = call_.args[argument + 2];
    constexpr std::uint64_t largest = 65536;  // XATTR_SIZE_MAX
    if (size > largest) return E2BIG;
    std::vector<char> value(size);
    if (size > 0 && !caller_.read(call_.args[argument + 1], value.data(), size)) return EFAULT;
    return result_of(::setxattr(link.c_str(), name->c_str(), value.data(), size, number_of(call_.args[argument + 3])));
  };
}

Change::Action Change::remove_attribute(unsigned argument) const {
  return [this, argument](const Descriptor&, const std::string& link) {
    const auto name = caller_.text(call_.args[argument]);
    return name ? result_of(::removexattr(link.c_str(), name->c_str())) : errno;
  };
}

timespec exact(const timespec& time) { return time; }
timespec exact(const timeval& time) { return {time.tv_sec, time.tv_usec * 1000}; }
timespec exact(const time_t& time) { return {time, 0}; }

template <class Time>
Change::Action Change::times_from(unsigned argument) const {
  const std::uint64_t address = call_.args[argument];
  return [this, address](const Descriptor& held, const std::string& link) {
    timespec both[2]{{0, UTIME_NOW}, {0, UTIME_NOW}};
    if (address != 0) {
      Time told[2]{};
      if (!caller_.read(address, told, sizeof told)) return EFAULT;
      both[0] = exact(told[0]);
      both[1] = exact(told[1]);
    }
    struct stat status {};
    if (::fstat(held.get(), &status) == 0 && S_ISLNK(status.st_mode)) {
      return result_of(::utimensat(held.get(), "", both, AT_EMPTY_PATH));
    }
    return result_of(::utimensat(AT_FDCWD, link.c_str(), both, 0));
  };
}

std::optional<int> Change::make() {
  const auto& args = call_.args;
  switch (call_.nr) {
#ifdef SYS_chmod  // the older calls are not there on newer architectures
    case SYS_chmod:
      return on_path(AT_FDCWD, 0, true, mode(1));
    case SYS_chown:
      return on_path(AT_FDCWD, 0, true, owner(1));
    case SYS_lchown:
      return on_path(AT_FDCWD, 0, false, owner(1));
    case SYS_utime:
      return on_path(AT_FDCWD, 0, true, times_from<time_t>(1));
    case SYS_utimes:
      return on_path(AT_FDCWD, 0, true, times_from<timeval>(1));
    case SYS_futimesat:
      if (args[1] == 0) return on_number(0, times_from<timeval>(2));
      return on_path(number_of(args[0]), 1, true, times_from<timeval>(2));
#endif
    case SYS_fchmod:
      return on_number(0, mode(1));
    case SYS_fchmodat:
      return on_path(number_of(args[0]), 1, true, mode(2));
    case SYS_fchown:
      return on_number(0, owner(1));
    case SYS_fchownat:
      return on_flags(0, 1, number_of(args[4]), owner(2));
    case SYS_utimensat:
      if (args[1] == 0) return on_number(0, times_from<timespec>(2));
      return on_flags(0, 1, number_of(args[3]), times_from<timespec>(2));
    case SYS_setxattr:
      return on_path(AT_FDCWD, 0, true, set_attribute(1));
    case SYS_lsetxattr:
      return on_path(AT_FDCWD, 0, false, set_attribute(1));
    case SYS_fsetxattr:
      return on_number(0, set_attribute(1));
    case SYS_removexattr:
      return on_path(AT_FDCWD, 0, true, remove_attribute(1));
    case SYS_lremovexattr:
      return on_path(AT_FDCWD, 0, false, remove_attribute(1));
    case SYS_fremovexattr:
      return on_number(0, remove_attribute(1));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<int> change_metadata(const seccomp_data& call, const Caller& caller, const Options& options) {
  return Change(call, caller, options).make();
}

}  // namespace agentrun::landlock
