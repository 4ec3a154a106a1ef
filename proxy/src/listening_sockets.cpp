#include "listening_sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "sockets.hpp"

namespace agentrun::proxy {
namespace {

/// npm, pip and cargo open many connections at once: a shorter queue drops some, and each drop costs a second.
constexpr int backlog = 4096;

tl::unexpected<Error> refused(const std::string& what, int error) {
  return failure(ErrorCode::unavailable,
                 "the network proxy cannot listen on " + what + ": " + std::generic_category().message(error),
                 error == EMFILE ? "Raise the limit of open files (ulimit -n)" : "");
}

}  // namespace

Result<TcpListener> listen_on_loopback() {
  static const std::string what = "127.0.0.1";
  const SocketResult socket = open_tcp_socket();
  if (socket.error != 0) return refused(what, socket.error);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  auto* const generic = reinterpret_cast<sockaddr*>(&name);
  send_without_delay(socket.descriptor);  // inherited by what is accepted
  if (::bind(socket.descriptor, generic, size) != 0 || ::listen(socket.descriptor, backlog) != 0 ||
      ::getsockname(socket.descriptor, generic, &size) != 0) {
    const int error = errno;
    ::close(socket.descriptor);
    return refused(what, error);
  }
  return TcpListener{socket.descriptor, ntohs(name.sin_port)};
}

Result<int> listen_on_unix(const std::filesystem::path& path) {
  const std::string& text = path.native();
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (text.size() >= sizeof name.sun_path) {
    return failure(ErrorCode::unavailable, "the path of the network proxy's socket is too long: " + text,
                   "Set TMPDIR to a directory with a shorter path");
  }
  std::memcpy(name.sun_path, text.data(), text.size());

  const SocketResult socket = open_unix_socket();
  if (socket.error != 0) return refused(text, socket.error);
  if (::bind(socket.descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
    const int error = errno;
    ::close(socket.descriptor);
    return refused(text, error);
  }
  // Nobody can connect before listen(), so there is no moment with the mode that the umask gave.
  if (::chmod(text.c_str(), S_IRUSR | S_IWUSR) != 0 || ::listen(socket.descriptor, backlog) != 0) {
    const int error = errno;
    ::close(socket.descriptor);
    ::unlink(text.c_str());
    return refused(text, error);
  }
  return socket.descriptor;
}

}  // namespace agentrun::proxy
