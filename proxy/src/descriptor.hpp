#pragma once
// A descriptor on its way from one owner to another.

#include <unistd.h>

#include <utility>

namespace agentrun::proxy {

class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace agentrun::proxy
