#include <fcntl.h>
#include <spawn.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "process/spawn.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

struct Actions {
  posix_spawn_file_actions_t value;
  Actions() { ::posix_spawn_file_actions_init(&value); }
  ~Actions() { ::posix_spawn_file_actions_destroy(&value); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
};

struct Attributes {
  posix_spawnattr_t value;
  Attributes() { ::posix_spawnattr_init(&value); }
  ~Attributes() { ::posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

tl::unexpected<Error> refusal(const std::string& program, int error) {
  switch (error) {
    case ENOENT:
      return failure(ErrorCode::not_found, "cannot start " + program + " (" + system_text(error) + ")",
                     "Check that the program and the interpreter in its first line exist");
    case EACCES:
    case ENOEXEC:
      return failure(ErrorCode::unavailable, "cannot start " + program + " (" + system_text(error) + ")",
                     "Check that the file is a program and may be executed (chmod +x)");
    case E2BIG:
      // One argument may have 128 KiB (MAX_ARG_STRLEN), all of them and the environment a quarter of the stack limit.
      return failure(ErrorCode::unavailable, "cannot start " + program + " (the command line is too long)",
                     "Shorten the prompt, the arguments or the environment; put long text into a file in the working "
                     "directory and name it in the prompt");
    default:
      return failure(ErrorCode::io, "cannot start " + program + " (" + system_text(error) + ")");
  }
}

}  // namespace

Result<pid_t> spawn(const SpawnRequest& request) {
  Actions actions;
  const bool foreground = request.group == ProcessGroup::foreground;
  ::posix_spawn_file_actions_addchdir_np(&actions.value, request.cwd.c_str());
  // Before the streams are moved: the terminal is agentrun's own standard input.
  if (foreground) ::posix_spawn_file_actions_addtcsetpgrp_np(&actions.value, STDIN_FILENO);
  // Callers never pass a descriptor below 3 for another stream than its own, so no move overwrites a source.
  ::posix_spawn_file_actions_adddup2(&actions.value, request.standard_input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions.value, request.standard_output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions.value, request.standard_error, STDERR_FILENO);
  // A source may have the number that an extra descriptor before it takes: copies above all of them do not.
  std::vector<Descriptor> copies;
  int first_closed = STDERR_FILENO + 1;
  for (const ExtraDescriptor& extra : request.extra) {
    copies.emplace_back(
        ::fcntl(extra.source, F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + static_cast<int>(request.extra.size())));
    if (!copies.back().valid()) return refusal(request.argv.front(), errno);
    ::posix_spawn_file_actions_adddup2(&actions.value, copies.back().get(), extra.number);
  }
  first_closed += static_cast<int>(request.extra.size());
  ::posix_spawn_file_actions_addclosefrom_np(&actions.value, first_closed);

  Attributes attributes;
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  // sigfillset() leaves out the two that glibc uses itself, and posix_spawn() then has the program ignore them.
  std::memset(&all, 0xFF, sizeof all);
  ::posix_spawnattr_setsigmask(&attributes.value, &none);
  ::posix_spawnattr_setsigdefault(&attributes.value, &all);
  ::posix_spawnattr_setpgroup(&attributes.value, 0);
  const int group = foreground ? POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSID;
  ::posix_spawnattr_setflags(&attributes.value,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));

  const std::vector<char*> argv = pointers(request.argv);
  const std::vector<char*> environment = pointers(request.environment);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, request.argv.front().c_str(), &actions.value, &attributes.value, argv.data(),
                                  environment.data());
  if (error != 0) return refusal(request.argv.front(), error);
  return pid;
}

}  // namespace agentrun::host
