// What agentrun does when doctor has started it inside a sandbox. Nothing here is trusted with anything: it tries what
// an agent could try.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "agentrun/host/doctor.hpp"
#include "doctor/probe_network.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {
namespace {

constexpr int not_a_question = 64;  // EX_USAGE of sysexits.h

/// At once: what comes next may hang.
void answer(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) std::exit(1);
}

/// 0, or the errno value.
int make_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return errno;
  return ::write(file.get(), "x", 1) == 1 ? 0 : errno;
}

bool has_entries(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), &::closedir);
  if (!directory) return false;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) return true;
  }
  return false;
}

/// Some of its content.
bool can_read(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return false;
  if (S_ISDIR(facts.st_mode)) return has_entries(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  char byte = 0;
  return file.valid() && ::read(file.get(), &byte, 1) == 1;
}

int look_at_files(const std::vector<std::string>& arguments) {
  answer("ran");
  const int error = make_file(arguments[1]);
  answer(std::string("inside ") + (error == 0 ? "ok" : system_text(error)));
  if (make_file(arguments[2]) == 0) answer("outside");
  for (std::size_t at = 3; at < arguments.size(); ++at) {
    if (can_read(arguments[at])) answer("read " + std::to_string(at - 3));
  }
  return 0;
}

int look_at_hosts(const std::vector<std::string>& arguments) {
  for (std::size_t at = 1; at + 1 < arguments.size(); at += 2) {
    const ConnectAnswer got = connect_from_here(arguments[at], arguments[at + 1]);
    answer(std::to_string(got.status) + " " + got.text);
  }
  return 0;
}

}  // namespace

int run_probe(const std::vector<std::string>& arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  if (what == "files" && arguments.size() >= 3) return look_at_files(arguments);
  if (what == "connect") return look_at_hosts(arguments);
  if (what == "resolve" && arguments.size() == 2) {
    for (const std::string& address : addresses_of(arguments[1])) answer(address);
    return 0;
  }
  return not_a_question;
}

}  // namespace agentrun::host
