#pragma once
// An owned file descriptor.

#include <unistd.h>

#include <utility>

#include "agentrun/result.hpp"

namespace agentrun::host {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }
  /// The caller owns it from now on.
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
  void reset(int fd = -1) noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends close on exec.
[[nodiscard]] Result<Pipe> make_pipe();

void set_nonblocking(int fd) noexcept;

/// The operating system's text for an errno value.
[[nodiscard]] std::string system_text(int error);

}  // namespace agentrun::host
