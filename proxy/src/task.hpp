#pragma once
// Two coroutine types, as small as the proxy needs them: one allocation a frame, no executor, no scheduling of its
// own. Everything runs on the thread of the loop that resumes it.

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace agentrun::proxy {

/// Runs at once and owns itself: the frame goes when the body ends, with everything it holds. An exception (out of
/// memory) ends this one activity, whose objects close their sockets, and nothing else.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept {}
  };
};

/// Runs when awaited and gives its value to the one that awaits it.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    struct FinalAwaiter {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        return self.promise().waiting;
      }
      void await_resume() noexcept {}
    };

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    FinalAwaiter final_suspend() noexcept { return {}; }
    void return_value(T result) { value.emplace(std::move(result)); }
    void unhandled_exception() noexcept { error = std::current_exception(); }

    std::coroutine_handle<> waiting;
    std::optional<T> value;
    std::exception_ptr error;
  };

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept {
    frame_.promise().waiting = waiting;
    return frame_;
  }
  T await_resume() {
    if (frame_.promise().error) std::rethrow_exception(frame_.promise().error);
    return std::move(*frame_.promise().value);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

}  // namespace agentrun::proxy
