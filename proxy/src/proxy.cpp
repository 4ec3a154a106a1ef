#include "agentrun/proxy/proxy.hpp"

#include <sys/socket.h>

#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "judgement.hpp"
#include "listener.hpp"
#include "listening_sockets.hpp"
#include "loops.hpp"
#include "peer_guard.hpp"
#include "resolver_pool.hpp"

namespace agentrun::proxy {
namespace {

std::shared_ptr<Resolver> resolver_or_default(std::shared_ptr<Resolver> resolver) {
  return resolver ? std::move(resolver) : std::make_shared<ResolverPool>(look_up_with_system);
}

}  // namespace

class Proxy::Impl {
 public:
  Impl(NetworkPolicy policy, Options options, NetworkObserver observer)
      : court_{std::move(policy), std::move(options.upstream), options.check_sni,
               resolver_or_default(std::move(options.resolver)),
               NetworkLog(std::move(observer), std::move(options.on_note))},
        loops_(options.timeouts, options.threads) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { stop(); }

  Result<void> start(const std::filesystem::path& unix_socket) {
    const Result<TcpListener> tcp = listen_on_loopback();
    if (!tcp) return tl::unexpected(tcp.error());
    port_ = tcp->port;
    if (const int error = add_listener(tcp->descriptor, AF_INET, make_same_user_guard()); error != 0)
      return cannot_start(error);

    if (!unix_socket.empty()) {
      const Result<int> listening = listen_on_unix(unix_socket);
      if (!listening) return tl::unexpected(listening.error());
      unix_socket_ = unix_socket;
      if (const int error = add_listener(*listening, AF_UNIX, nullptr); error != 0) return cannot_start(error);
    }
    loops_.home().start();
    return {};
  }

  void serve(int listener) noexcept {
    // A loop that has ended drops the work, and with it the descriptor.
    loops_.home().mailbox()->post(
        [this, socket = Descriptor(listener)]() mutable { add_listener(socket.release(), AF_INET, nullptr); });
  }

  void stop() noexcept {
    loops_.stop();
    if (unix_socket_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove(unix_socket_, ignored);
    unix_socket_.clear();
  }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  static tl::unexpected<Error> cannot_start(int error) {
    return failure(ErrorCode::unavailable, "the network proxy cannot start: " + std::generic_category().message(error));
  }

 private:
  int add_listener(int descriptor, int family, std::unique_ptr<PeerGuard> guard) {
    Stream socket(loops_.home().reactor());
    if (const int error = socket.adopt(descriptor, family); error != 0) return error;
    listeners_.push_back(std::make_unique<Listener>(loops_, court_, std::move(socket), std::move(guard)));
    listeners_.back()->start();
    return 0;
  }

  Court court_;
  Loops loops_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::uint16_t port_ = 0;
  std::filesystem::path unix_socket_;
};

Result<std::unique_ptr<Proxy>> Proxy::start(NetworkPolicy policy, Options options, NetworkObserver observer) {
  const std::filesystem::path unix_socket = options.unix_socket;
  try {
    auto impl = std::make_unique<Impl>(std::move(policy), std::move(options), std::move(observer));
    if (const Result<void> started = impl->start(unix_socket); !started) return tl::unexpected(started.error());
    return std::unique_ptr<Proxy>(new Proxy(std::move(impl)));
  } catch (const std::system_error& error) {  // Asio's epoll and timer descriptors, or the thread
    return Impl::cannot_start(error.code().value());
  }
}

Proxy::Proxy(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}

Proxy::~Proxy() = default;

std::uint16_t Proxy::port() const noexcept { return impl_->port(); }

void Proxy::serve(int listener) noexcept { impl_->serve(listener); }

void Proxy::stop() noexcept { impl_->stop(); }

}  // namespace agentrun::proxy
