#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "pipe_pool.hpp"

namespace agentrun::proxy {
namespace {

constexpr unsigned splice_flags = SPLICE_F_MOVE | SPLICE_F_NONBLOCK;

IoResult splice_some(int from, int to, std::size_t limit) noexcept {
  for (;;) {
    const ssize_t count = ::splice(from, nullptr, to, nullptr, limit, splice_flags);
    if (count >= 0) return {static_cast<std::size_t>(count), 0};
    if (errno != EINTR) return {0, errno};
  }
}

std::unique_ptr<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return nullptr;
  auto pipe = std::make_unique<Pipe>(ends[0], ends[1]);
  // A pipe of the default size moves 64 KiB a call at best: no better than copying.
  if (::fcntl(ends[1], F_SETPIPE_SZ, static_cast<int>(PipePool::pipe_size)) < 0) return nullptr;
  return pipe;
}

}  // namespace

Pipe::~Pipe() {
  ::close(read_end_);
  ::close(write_end_);
}

IoResult Pipe::fill_from(int socket, std::size_t limit) noexcept {
  const IoResult result = splice_some(socket, write_end_, limit);
  held_ += result.count;
  return result;
}

// splice() to a socket raises SIGPIPE when the peer is gone; the loops' threads block every signal.
IoResult Pipe::drain_to(int socket) noexcept {
  const IoResult result = splice_some(read_end_, socket, held_);
  held_ -= result.count;
  return result;
}

std::unique_ptr<Pipe> PipePool::take() {
  if (out() >= max_out) return nullptr;
  std::unique_ptr<Pipe> pipe;
  if (idle_.empty()) {
    pipe = make_pipe();
  } else {
    pipe = std::move(idle_.back());
    idle_.pop_back();
  }
  if (pipe) out_.fetch_add(1, std::memory_order_relaxed);
  return pipe;
}

void PipePool::give_back(std::unique_ptr<Pipe> pipe) {
  if (!pipe) return;
  out_.fetch_sub(1, std::memory_order_relaxed);
  if (pipe->held() == 0 && idle_.size() < max_idle) idle_.push_back(std::move(pipe));
}

}  // namespace agentrun::proxy
