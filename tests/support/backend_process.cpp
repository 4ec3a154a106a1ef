#include "backend_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace agentrun::testing {
namespace {

constexpr std::chrono::seconds patience{20};

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
    read = ends[0];
    write = ends[1];
  }
  int read = -1;
  int write = -1;
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

/// False at the end of file.
bool take(int descriptor, std::string& to) {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  to.append(buffer.data(), static_cast<std::size_t>(size));
  return size > 0;
}

/// Above 3, so that moving it there takes the mark to close on exec away.
int memory_file(std::string_view content) {
  const int low = ::memfd_create("input", MFD_CLOEXEC);
  const int file = ::fcntl(low, F_DUPFD_CLOEXEC, 10);
  ::close(low);
  if (::write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size()) ||
      ::lseek(file, 0, SEEK_SET) != 0) {
    throw std::system_error(errno, std::generic_category(), "memory file");
  }
  return file;
}

}  // namespace

BackendProcess::BackendProcess(const std::vector<std::string>& argv, const SpawnOptions& options)
    : input_(options.input) {
  // Writing to a child that does not read must be an error and not the end of the test.
  ::signal(SIGPIPE, SIG_IGN);
  const Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  const int third = options.third.empty() ? -1 : memory_file(options.third);
  if (third >= 0) ::posix_spawn_file_actions_adddup2(&actions, third, 3);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, third >= 0 ? 4 : 3);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigfillset(&defaults);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawn(&pid_, argv.at(0).c_str(), &actions, &attributes, pointers(argv).data(),
                                  pointers(options.environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (third >= 0) ::close(third);
  ::close(in.read);
  ::close(out.write);
  ::close(err.write);
  in_ = in.write;
  out_ = out.read;
  err_ = err.read;
  ::fcntl(in_, F_SETFL, O_NONBLOCK);
  if (error != 0) throw std::system_error(error, std::generic_category(), "posix_spawn " + argv.at(0));
  if (input_.empty()) close_once(in_);
}

BackendProcess::~BackendProcess() {
  // What is left of the group too, though its first process has ended.
  ::kill(-pid_, SIGKILL);
  reap(true);
  close_once(in_);
  close_once(out_);
  close_once(err_);
}

void BackendProcess::kill(int signal) const { ::kill(pid_, signal); }

void BackendProcess::reap(bool block) {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, block ? 0 : WNOHANG) == pid_) status_ = status;
}

bool BackendProcess::step(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  if (left.count() <= 0) return false;
  std::array<pollfd, 3> wanted{{{in_, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  // The end of the process is not visible here, so it is asked for every few milliseconds.
  ::poll(wanted.data(), wanted.size(), static_cast<int>(std::min<std::int64_t>(left.count(), 5)));
  if (wanted[0].revents != 0) {
    const ssize_t size = ::write(in_, input_.data(), input_.size());
    if (size > 0) input_.erase(0, static_cast<std::size_t>(size));
    if (input_.empty() || (size < 0 && errno != EAGAIN)) close_once(in_);
  }
  if (wanted[1].revents != 0 && !take(out_, exited_.out)) close_once(out_);
  if (wanted[2].revents != 0 && !take(err_, exited_.err)) close_once(err_);
  reap(false);
  return true;
}

bool BackendProcess::said(std::string_view text) {
  const auto deadline = Clock::now() + patience;
  while (exited_.out.find(text) == std::string::npos) {
    if (out_ < 0 || !step(deadline)) return false;
  }
  return true;
}

Exited BackendProcess::wait() {
  const auto deadline = Clock::now() + patience;
  while ((!status_ || out_ >= 0 || err_ >= 0) && step(deadline)) {
  }
  exited_.out_ended = out_ < 0;
  if (status_ && WIFEXITED(*status_)) exited_.code = WEXITSTATUS(*status_);
  if (status_ && WIFSIGNALED(*status_)) exited_.signal = WTERMSIG(*status_);
  return exited_;
}

}  // namespace agentrun::testing
