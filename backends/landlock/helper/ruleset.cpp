#include "ruleset.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "access.hpp"
#include "failure.hpp"
#include "readable.hpp"

namespace agentrun::landlock {
namespace {

struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;  // ABI 4
  std::uint64_t scoped;              // ABI 6
};

struct PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
} __attribute__((packed));

constexpr unsigned ask_version = 1;
constexpr int path_beneath = 1;

/// A kernel refuses attributes that it does not know.
std::size_t known_size(int abi) {
  if (abi >= 6) return sizeof(RulesetAttributes);
  return abi >= 4 ? offsetof(RulesetAttributes, scoped) : offsetof(RulesetAttributes, handled_access_net);
}

class Ruleset {
 public:
  explicit Ruleset(const Options& options) : abi_(options.abi) {
    if (::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version) < abi_) {
      fail_plainly("this kernel's Landlock is older than the one that the run was planned for");
    }
    RulesetAttributes attributes{handled(abi_), 0, 0};
    // Behind the supervisor nothing may listen on the host's network.
    if (abi_ >= 4 && options.network != Network::open) attributes.handled_access_net = net_bind_tcp;
    if (abi_ >= 6) attributes.scoped = scope_abstract_sockets | scope_signals;
    made_.reset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, known_size(abi_), 0)));
    if (!made_.valid()) fail("landlock_create_ruleset");
  }

  /// Nothing happens when the path is not there or is a link.
  void allow(const std::string& path, std::uint64_t rights) const {
    const Descriptor place(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (place.valid()) allow(place.get(), rights);
  }

  void allow(int place, std::uint64_t rights) const {
    struct stat status {};
    if (::fstat(place, &status) != 0 || S_ISLNK(status.st_mode)) return;
    if (!S_ISDIR(status.st_mode)) rights &= for_files;
    const PathBeneath rule{rights & handled(abi_), place};
    if (rule.allowed_access == 0) return;
    if (::syscall(SYS_landlock_add_rule, made_.get(), path_beneath, &rule, 0) == 0) return;
    // EBADFD: a file of the kernel's own (a pipe), which is not restricted.
    if (errno != EBADFD) fail("landlock_add_rule");
  }

  [[nodiscard]] Descriptor take() { return std::move(made_); }

 private:
  int abi_;
  Descriptor made_;
};

/// /dev is hidden as a whole: root may read disks, and /dev/shm holds the memory of the user's other programs.
void allow_devices(const Ruleset& rules) {
  for (const char* path :
       {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/random", "/dev/urandom"}) {
    rules.allow(path, device);
  }
  rules.allow("/dev/pts", device | right::read_dir);
}

/// So that /dev/stdout works when it is a file. Not when it is open for appending: that must stay the only way.
void allow_standard_streams(const Ruleset& rules) {
  for (const int stream : {0, 1, 2}) {
    struct stat status {};
    if (::fstat(stream, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const int flags = ::fcntl(stream, F_GETFL);
    if ((flags & O_ACCMODE) != O_RDONLY && (flags & O_APPEND) == 0) rules.allow(stream, writing_files);
  }
}

/// Where connections are judged, a socket is out of reach without being hidden; directories around it stay readable.
bool only_a_socket(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

Descriptor make_ruleset(const Options& options) {
  Ruleset rules(options);
  std::vector<std::string> hidden{"/dev"};
  for (const std::string& path : options.hidden) {
    if (options.network == Network::open || !only_a_socket(path)) hidden.push_back(path);
  }
  grant_around(hidden, [&](const std::string& path) { rules.allow(path, reading); });
  allow_devices(rules);
  for (const std::string& path : options.writable) rules.allow(path, working);
  for (const State& state : options.states) {
    for (const std::string& entry : state.entries) rules.allow(state.directory + "/" + entry, working);
  }
  allow_standard_streams(rules);
  return rules.take();
}

void restrict_to(const Descriptor& ruleset) {
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) fail("landlock_restrict_self");
}

}  // namespace agentrun::landlock
