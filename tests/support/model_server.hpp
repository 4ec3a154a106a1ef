#pragma once
// A model service that answers from a script, on loopback. It speaks OpenAI's chat completions as a stream;
// another protocol is another case in model_server_wire.cpp.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agentrun::testing {

struct ModelToolCall {
  std::string name;
  std::string arguments;  ///< JSON text
};

struct ModelUsage {
  std::uint64_t input = 101;  ///< cached ones included
  std::uint64_t output = 20;
  std::uint64_t cached = 64;
};

/// The answer to one request.
struct ModelTurn {
  enum class Ending {
    complete,
    cut,   ///< the connection closes in the middle of the stream
    hang,  ///< nothing more comes until the client goes away
  };

  std::string text;
  std::vector<ModelToolCall> calls;
  ModelUsage usage;
  std::string finish_reason;          ///< empty: "tool_calls" with calls, else "stop"
  std::chrono::milliseconds delay{};  ///< before the head of the answer
  std::chrono::milliseconds pause{};  ///< before each piece of the stream
  Ending ending = Ending::complete;
  unsigned status = 200;  ///< an error answer with `text` as its message otherwise

  [[nodiscard]] static ModelTurn say(std::string text);
  [[nodiscard]] static ModelTurn call(std::string name, std::string arguments);
  [[nodiscard]] static ModelTurn error(unsigned status, std::string message);
};

struct ModelRequest {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

class ModelServer {
 public:
  /// One turn a request, in the order in which they come; the last one again when there are more.
  explicit ModelServer(std::vector<ModelTurn> script);
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept;
  /// "http://127.0.0.1:PORT" and `path`.
  [[nodiscard]] std::string url(std::string_view path = "/v1") const;

  [[nodiscard]] std::vector<ModelRequest> requests() const;
  /// False when there are fewer than `count` after `limit`.
  [[nodiscard]] bool wait_for_requests(std::size_t count,
                                       std::chrono::milliseconds limit = std::chrono::seconds(30)) const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace agentrun::testing
