#include <cerrno>

#include "pipe_pool.hpp"

// macOS has no splice(): take() gives nothing, so no Pipe is ever made.

namespace agentrun::proxy {

Pipe::~Pipe() = default;

IoResult Pipe::fill_from(int, std::size_t) noexcept { return {0, EINVAL}; }

IoResult Pipe::drain_to(int) noexcept { return {0, EINVAL}; }

std::unique_ptr<Pipe> PipePool::take() { return nullptr; }

void PipePool::give_back(std::unique_ptr<Pipe>) {}

}  // namespace agentrun::proxy
