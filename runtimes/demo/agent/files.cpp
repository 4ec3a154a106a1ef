#include "files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace demo {

namespace {

Outcome system_error() { return {false, std::strerror(errno)}; }

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

Outcome write_file(const std::string& path, const std::string& text) {
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (file.number < 0) return system_error();
  const std::string content = text + "\n";
  const ssize_t written = ::write(file.number, content.data(), content.size());
  if (written < 0) return system_error();
  return {true, std::to_string(written) + " bytes"};
}

Outcome read_file(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return system_error();
  std::size_t total = 0;
  char buffer[4096];
  ssize_t count = 0;
  while ((count = ::read(file.number, buffer, sizeof buffer)) > 0) total += static_cast<std::size_t>(count);
  if (count < 0) return system_error();
  return {true, std::to_string(total) + " bytes"};
}

}  // namespace demo
