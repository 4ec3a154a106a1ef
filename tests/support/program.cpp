#include "program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/src.hpp>
#include <sstream>
#include <thread>

namespace agentrun::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void close_and_forget(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// False at the end of the stream.
bool read_some(int& fd, std::string& text) {
  char buffer[65536];
  const ssize_t count = ::read(fd, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) close_and_forget(fd);
  return count > 0;
}

}  // namespace

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (!condition()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::yield();
    ::poll(nullptr, 0, 5);
  }
  return true;
}

std::vector<json::object> Finished::events() const {
  std::vector<json::object> result;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    boost::system::error_code error;
    json::value value = json::parse(line, error);
    if (error || !value.is_object()) {
      ADD_FAILURE() << "not a JSON object: " << line;
      continue;
    }
    result.push_back(value.as_object());
  }
  return result;
}

std::vector<json::object> Finished::events(std::string_view type) const {
  std::vector<json::object> result;
  for (json::object& event : events()) {
    if (event["type"] == json::string_view(type.data(), type.size())) result.push_back(std::move(event));
  }
  return result;
}

json::object Finished::end() const {
  const std::vector<json::object> all = events();
  if (all.empty()) {
    ADD_FAILURE() << "no events; standard error: " << err;
    return {};
  }
  EXPECT_EQ(all.back().at("type"), "end");
  return all.back();
}

Program::Program(const Invocation& invocation) : input_(invocation.input) {
  int in[2];
  int out[2];
  int err[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipes left");
  }
  std::vector<std::string> argv = invocation.prefix;
  argv.push_back(invocation.program.value_or(AGENTRUN_EXECUTABLE));
  argv.insert(argv.end(), invocation.args.begin(), invocation.args.end());
  std::vector<std::string> environment;
  for (const auto& [name, value] : invocation.environment) environment.push_back(name + "=" + value);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, invocation.cwd.c_str());
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error = ::posix_spawnp(&pid_, argv[0].c_str(), &actions, &attributes, pointers(argv).data(),
                                   pointers(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  for (const int fd : {in_, out_, err_}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  if (error != 0) throw std::runtime_error("cannot start " + argv[0]);
}

Program::~Program() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  close_and_forget(in_);
  close_and_forget(out_);
  close_and_forget(err_);
}

void Program::signal(int number) const { ::kill(pid_, number); }

void Program::close_output() { close_and_forget(out_); }

bool Program::pump(std::chrono::milliseconds wait) {
  if (input_.empty()) close_and_forget(in_);
  pollfd fds[3] = {{in_, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}};
  ::poll(fds, 3, static_cast<int>(wait.count()));
  if (fds[0].revents != 0) {
    // A program that does not read its input must not end the test.
    ::signal(SIGPIPE, SIG_IGN);
    const ssize_t count = ::write(in_, input_.data(), input_.size());
    if (count > 0) input_.erase(0, static_cast<std::size_t>(count));
    if (count < 0 && errno != EAGAIN) close_and_forget(in_);
  }
  if (fds[1].revents != 0) read_some(out_, finished_.out);
  if (fds[2].revents != 0) read_some(err_, finished_.err);
  return out_ >= 0 || err_ >= 0;
}

bool Program::said(std::string_view text, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (finished_.out.find(text) == std::string::npos) {
    if (Clock::now() > deadline || !pump(std::chrono::milliseconds(50))) {
      return finished_.out.find(text) != std::string::npos;
    }
  }
  return true;
}

Finished Program::wait(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  int status = 0;
  rusage usage{};
  while (true) {
    pump(std::chrono::milliseconds(10));
    const pid_t ended = ::wait4(pid_, &status, WNOHANG, &usage);
    if (ended == pid_) break;
    if (Clock::now() > deadline) {
      ADD_FAILURE() << "still running after " << limit.count() << " ms; standard output: " << finished_.out
                    << "\nstandard error: " << finished_.err;
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, &status, 0);
      break;
    }
  }
  pid_ = -1;
  while (out_ >= 0 && read_some(out_, finished_.out)) {
  }
  while (err_ >= 0 && read_some(err_, finished_.err)) {
  }
  finished_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished_.peak_kib = usage.ru_maxrss;
  return finished_;
}

Finished run(const Invocation& invocation) { return Program(invocation).wait(); }

Stage::Stage() {
  for (const char* name : {"home", "work", "tmp", "outside"}) root_.make(name);
}

Invocation Stage::invocation(std::vector<std::string> args) const {
  Invocation result;
  result.args = std::move(args);
  result.cwd = work();
  result.environment = {{"HOME", home().native()},
                        {"TMPDIR", tmp().native()},
                        {"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"},
                        {"LANG", "C.UTF-8"},
                        {"AGENTRUN_TEST_STAGE", root_.path().native()}};
  // Sanitizers of the build under test.
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) result.environment[name] = value;
  }
  return result;
}

Finished Stage::run(std::vector<std::string> args, std::string input) const {
  Invocation call = invocation(std::move(args));
  call.input = std::move(input);
  return agentrun::testing::run(call);
}

bool Stage::clean() const { return std::filesystem::is_empty(tmp()); }

std::vector<pid_t> processes_marked(std::string_view marker) {
  std::vector<pid_t> result;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t pid = static_cast<pid_t>(std::stoi(name));
    if (pid == ::getpid()) continue;
    if (read_file(entry.path() / "environ").find(marker) != std::string::npos) result.push_back(pid);
  }
  return result;
}

}  // namespace agentrun::testing
