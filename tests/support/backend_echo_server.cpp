#include "backend_echo_server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

namespace agentrun::testing {
namespace {

/// False when the connection is over.
bool echo(int connection) {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::recv(connection, buffer.data(), buffer.size(), 0);
  if (size <= 0) return false;
  return ::send(connection, buffer.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
}

}  // namespace

BackendEchoServer::BackendEchoServer(const std::filesystem::path& socket) {
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  stop_ = ::eventfd(0, EFD_CLOEXEC);
  // Bound by its name from within its directory, which may have a longer path than a socket address can hold.
  const int directory = ::open(socket.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + socket.filename().native();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), address.sun_path);
  const bool bound = ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
                     ::listen(listener_, 1024) == 0 && ::chmod(socket.c_str(), 0777) == 0;
  ::close(directory);
  if (!bound) throw std::system_error(errno, std::generic_category(), "cannot listen on " + socket.native());
  thread_ = std::thread([this] { serve(); });
}

BackendEchoServer::BackendEchoServer()
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), stop_(::eventfd(0, EFD_CLOEXEC)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(listener_, 1024) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot listen on loopback");
  }
  thread_ = std::thread([this] { serve(); });
}

std::uint16_t BackendEchoServer::port() const {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

BackendEchoServer::~BackendEchoServer() {
  const std::uint64_t one = 1;
  if (::write(stop_, &one, sizeof(one)) == sizeof(one)) thread_.join();
  ::close(listener_);
  ::close(stop_);
}

void BackendEchoServer::serve() {
  std::vector<pollfd> watched{{stop_, POLLIN, 0}, {listener_, POLLIN, 0}};
  while (::poll(watched.data(), watched.size(), -1) > 0 && watched[0].revents == 0) {
    for (std::size_t i = 2; i < watched.size(); ++i) {
      if (watched[i].revents == 0 || echo(watched[i].fd)) continue;
      ::close(watched[i].fd);
      watched[i].fd = -1;
    }
    if (watched[1].revents != 0) {
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection >= 0) watched.push_back({connection, POLLIN, 0});
    }
    watched.erase(std::remove_if(watched.begin() + 2, watched.end(), [](const pollfd& one) { return one.fd < 0; }),
                  watched.end());
  }
  for (std::size_t i = 2; i < watched.size(); ++i) ::close(watched[i].fd);
}

}  // namespace agentrun::testing
