#include "linger.hpp"

#include <memory>
#include <utility>

#include "task.hpp"

namespace agentrun::proxy {
namespace {

class Lingering final : public Loop::Activity, public Deadlines::Entry {
 public:
  Lingering(Loop& loop, Stream client, std::string answer)
      : loop_(loop), client_(std::move(client)), answer_(std::move(answer)) {
    loop_.add(*this);
  }
  ~Lingering() { cancel_deadline(); }

  static Detached run(std::unique_ptr<Lingering> self) {
    self->loop_.limits().linger.start(*self);
    std::string_view unsent = self->answer_;
    while (!unsent.empty()) {
      const IoResult result = self->client_.send(unsent);
      unsent.remove_prefix(result.count);
      if (result.would_block()) {
        const bool is_ready = co_await self->client_.ready(Readiness::writable);
        if (!is_ready || self->is_over_) co_return;
      } else if (result.error != 0) {
        co_return;
      }
    }
    self->client_.shutdown_sending();
    for (;;) {
      const IoResult result = self->client_.receive(self->loop_.scratch(), Loop::scratch_size);
      if (result.would_block() || result.count == Loop::scratch_size) {
        const bool is_ready = co_await self->client_.ready(Readiness::readable);
        if (!is_ready || self->is_over_) co_return;
      } else if (result.count == 0) {
        co_return;
      }
    }
  }

 private:
  void abandon() override { end(); }
  void on_deadline() override { end(); }
  void end() noexcept {
    is_over_ = true;
    client_.cancel();
  }

  Loop& loop_;
  Stream client_;
  std::string answer_;
  bool is_over_ = false;
};

}  // namespace

void linger(Loop& loop, Stream client, std::string answer) {
  Lingering::run(std::make_unique<Lingering>(loop, std::move(client), std::move(answer)));
}

}  // namespace agentrun::proxy
