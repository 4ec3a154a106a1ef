#include "base_mounts.hpp"

#include <initializer_list>

namespace agentrun::bwrap {
namespace {

void append(std::vector<std::string>& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

}  // namespace

void append_empty_directory(std::vector<std::string>& arguments, const std::string& path) {
  append(arguments, {"--tmpfs", path, "--remount-ro", path});
}

std::vector<std::string> base_mounts(const HostFacts& host) {
  std::vector<std::string> arguments;
  // /dev and /proc before everything of the policy: a session directory below /dev/shm must not be covered.
  append(arguments, {"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"});
  if (host.root) {
    // The files of /proc look at the user id and not at capabilities: root could write kernel.core_pattern and have
    // the kernel run a program outside. bwrap itself covers irq and bus.
    append(arguments, {"--ro-bind", "/proc/sys", "/proc/sys"});
    for (const char* path : {"/proc/sysrq-trigger", "/proc/acpi", "/proc/fs", "/proc/scsi"}) {
      append(arguments, {"--ro-bind-try", path, path});
    }
    if (host.binfmt_misc) {
      // Where systemd mounts this on the first look at it, the mount arrives here from outside and is writable: root
      // could name a program of its own to run outside for files of some kind. A cover stays on top.
      append_empty_directory(arguments, "/proc/sys/fs/binfmt_misc");
    }
  }
  return arguments;
}

}  // namespace agentrun::bwrap
