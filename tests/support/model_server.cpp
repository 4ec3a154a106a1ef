#include "model_server.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "model_server_wire.hpp"

namespace agentrun::testing {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::use_awaitable;
using asio::ip::tcp;

// Requests carry whole conversations, images too.
constexpr std::uint64_t largest_body = 256ULL * 1024 * 1024;

ModelRequest recorded(const http::request<http::string_body>& request) {
  ModelRequest out{std::string(request.method_string()), std::string(request.target()), {}, request.body()};
  for (const auto& field : request) {
    std::string name(field.name_string());
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    out.headers[name] = std::string(field.value());
  }
  return out;
}

asio::awaitable<void> wait(std::chrono::milliseconds time) {
  if (time.count() == 0) co_return;
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(use_awaitable);
}

}  // namespace

class ModelServer::Service {
 public:
  explicit Service(std::vector<ModelTurn> script)
      : script_(std::move(script)), acceptor_(context_, {asio::ip::address_v4::loopback(), 0}) {
    if (script_.empty()) script_.push_back(ModelTurn::error(500, "the script is empty"));
    asio::co_spawn(context_, accept(), asio::detached);
    thread_ = std::thread([this] { context_.run(); });
  }

  ~Service() {
    context_.stop();
    thread_.join();
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  [[nodiscard]] std::vector<ModelRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, limit, [&] { return requests_.size() >= count; });
  }

 private:
  asio::awaitable<void> accept() {
    for (;;) {
      tcp::socket socket = co_await acceptor_.async_accept(use_awaitable);
      // A client that goes away ends its own conversation only.
      asio::co_spawn(context_, serve(std::move(socket)), asio::detached);
    }
  }

  asio::awaitable<void> serve(tcp::socket socket) {
    boost::beast::flat_buffer buffer;
    for (bool again = true; again;) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(largest_body);
      co_await http::async_read(socket, buffer, parser, use_awaitable);
      const ModelRequest request = recorded(parser.get());
      const bool keep_alive = parser.keep_alive();
      const std::size_t number = keep(request);
      again = co_await answer(socket, request, script_[std::min(number, script_.size()) - 1], number) && keep_alive;
    }
  }

  /// How many requests there are with this one.
  std::size_t keep(const ModelRequest& request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    arrived_.notify_all();
    return requests_.size();
  }

  /// False when the connection ends with it.
  static asio::awaitable<bool> answer(tcp::socket& socket, const ModelRequest& request, const ModelTurn& turn,
                                      std::size_t number) {
    co_await wait(turn.delay);
    const std::vector<std::string> pieces = stream_pieces(request, turn, number);
    if (turn.status != 200 || pieces.empty()) {
      http::response<http::string_body> error(static_cast<http::status>(turn.status == 200 ? 404 : turn.status), 11);
      error.set(http::field::content_type, "application/json");
      error.body() = error_body(turn);
      error.prepare_payload();
      co_await http::async_write(socket, error, use_awaitable);
      co_return true;
    }
    http::response<http::empty_body> head(http::status::ok, 11);
    head.set(http::field::content_type, "text/event-stream");
    head.chunked(true);
    http::response_serializer<http::empty_body> serializer(head);
    co_await http::async_write_header(socket, serializer, use_awaitable);
    const bool complete = turn.ending == ModelTurn::Ending::complete;
    for (std::size_t i = 0; i < (complete ? pieces.size() : pieces.size() / 2); ++i) {
      co_await wait(turn.pause);
      co_await asio::async_write(socket, http::make_chunk(asio::buffer(pieces[i])), use_awaitable);
    }
    if (turn.ending == ModelTurn::Ending::cut) co_return false;
    if (turn.ending == ModelTurn::Ending::hang) {
      char byte = 0;
      co_await socket.async_read_some(asio::buffer(&byte, 1), use_awaitable);
      co_return false;
    }
    co_await asio::async_write(socket, http::make_chunk_last(), use_awaitable);
    co_return true;
  }

  std::vector<ModelTurn> script_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  std::thread thread_;
  mutable std::mutex mutex_;
  mutable std::condition_variable arrived_;
  std::vector<ModelRequest> requests_;
};

ModelTurn ModelTurn::say(std::string text) {
  ModelTurn turn;
  turn.text = std::move(text);
  return turn;
}

ModelTurn ModelTurn::call(std::string name, std::string arguments) {
  ModelTurn turn;
  turn.calls.push_back({std::move(name), std::move(arguments)});
  return turn;
}

ModelTurn ModelTurn::error(unsigned status, std::string message) {
  ModelTurn turn;
  turn.status = status;
  turn.text = std::move(message);
  return turn;
}

ModelServer::ModelServer(std::vector<ModelTurn> script) : service_(std::make_unique<Service>(std::move(script))) {}

ModelServer::~ModelServer() = default;

std::uint16_t ModelServer::port() const noexcept { return service_->port(); }

std::string ModelServer::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port()) + std::string(path);
}

std::vector<ModelRequest> ModelServer::requests() const { return service_->requests(); }

bool ModelServer::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
  return service_->wait_for_requests(count, limit);
}

}  // namespace agentrun::testing
