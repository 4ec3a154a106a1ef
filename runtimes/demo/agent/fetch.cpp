#include "fetch.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

namespace demo {

namespace {

struct Target {
  std::string host;
  std::string port = "80";
  std::string path = "/";
};

std::optional<Target> parse_url(std::string_view url) {
  constexpr std::string_view scheme = "http://";
  if (!url.starts_with(scheme)) return std::nullopt;
  url.remove_prefix(scheme.size());
  Target target;
  const std::size_t slash = std::min(url.find('/'), url.size());
  if (slash < url.size()) target.path = url.substr(slash);
  const std::string_view authority = url.substr(0, slash);
  const std::size_t colon = authority.find(':');
  target.host = authority.substr(0, colon);
  if (colon != std::string_view::npos) target.port = authority.substr(colon + 1);
  if (target.host.empty() || target.port.empty() || url.find_first_of(" \r\n") != std::string_view::npos) {
    return std::nullopt;
  }
  return target;
}

class Connection {
 public:
  ~Connection() {
    if (socket_ >= 0) ::close(socket_);
  }
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Why not, or empty.
  std::string open(const Target& target) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found);
    if (error != 0) return ::gai_strerror(error);
    socket_ = ::socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    const timeval limit{10, 0};
    const bool connected = socket_ >= 0 && ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
                           ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
                           ::connect(socket_, found->ai_addr, found->ai_addrlen) == 0;
    const std::string why = connected ? "" : std::strerror(errno);
    ::freeaddrinfo(found);
    return why;
  }

  /// Sends `request` and returns the beginning of what comes back until the other side closes.
  std::string exchange(std::string_view request) {
    constexpr std::size_t enough = 64 * 1024;
    while (!request.empty()) {
      const ssize_t sent = ::send(socket_, request.data(), request.size(), 0);
      if (sent <= 0) return {};
      request.remove_prefix(static_cast<std::size_t>(sent));
    }
    std::string answer;
    char buffer[4096];
    while (answer.size() < enough) {
      const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      answer.append(buffer, static_cast<std::size_t>(count));
    }
    return answer;
  }

 private:
  int socket_ = -1;
};

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find_first_of("\r\n"))); }

/// "HTTP/1.1 403 Forbidden" and a body become "403 Forbidden: BODY".
Outcome read_answer(std::string_view answer) {
  const std::string status = first_line(answer);
  const std::size_t space = status.find(' ');
  if (!status.starts_with("HTTP/") || space == std::string::npos) return {false, "no answer"};
  Outcome outcome{status.substr(space + 1).starts_with('2'), status.substr(space + 1)};
  const std::size_t head_end = answer.find("\r\n\r\n");
  if (head_end != std::string_view::npos) {
    const std::string body = first_line(answer.substr(head_end + 4));
    if (!body.empty()) outcome.detail += ": " + body;
  }
  return outcome;
}

}  // namespace

Outcome fetch(const std::string& url) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::optional<Target> target = parse_url(url);
  if (!target) return {false, "not an http:// URL"};

  const char* proxy = std::getenv("HTTP_PROXY");
  const bool through_proxy = proxy != nullptr && *proxy != '\0';
  const std::optional<Target> next_hop = through_proxy ? parse_url(proxy) : target;
  if (!next_hop) return {false, "HTTP_PROXY is not an http:// URL"};

  Connection connection;
  if (std::string why = connection.open(*next_hop); !why.empty()) return {false, std::move(why)};
  return read_answer(connection.exchange("GET " + (through_proxy ? url : target->path) +
                                         " HTTP/1.1\r\nHost: " + target->host + ":" + target->port +
                                         "\r\nAccept: */*\r\nConnection: close\r\n\r\n"));
}

}  // namespace demo
