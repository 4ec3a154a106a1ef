#include "http_server.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <stdexcept>

namespace agentrun::testing {

HttpServer::HttpServer(std::string body) : body_(std::move(body)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&name), size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&name), &size) != 0) {
    throw std::runtime_error("cannot listen on loopback");
  }
  port_ = ntohs(name.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  stopping_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

std::vector<std::string> HttpServer::heads() const {
  const std::lock_guard lock(mutex_);
  return heads_;
}

void HttpServer::serve() {
  while (!stopping_) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    std::string head;
    char buffer[4096];
    while (head.find("\r\n\r\n") == std::string::npos) {
      const ssize_t count = ::read(client, buffer, sizeof buffer);
      if (count <= 0) break;
      head.append(buffer, static_cast<std::size_t>(count));
    }
    {
      const std::lock_guard lock(mutex_);
      heads_.push_back(head);
    }
    ++requests_;
    const std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(body_.size()) +
        "\r\nConnection: close\r\n\r\n" + body_;
    ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
    // Closing with a request's body unread would reset the connection and take the answer away.
    ::shutdown(client, SHUT_WR);
    const timeval limit{1, 0};
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    while (::read(client, buffer, sizeof buffer) > 0) {
    }
    ::close(client);
  }
}

}  // namespace agentrun::testing
