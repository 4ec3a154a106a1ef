// Runs inside the sandbox and says what it can do there: a test's hand on the other side.
//
//   probe fetch URL [METHOD]   through HTTP_PROXY; prints the status code, then the body
//   probe connect HOST PORT    without a proxy; prints "connected" or the error
//   probe connect-unix PATH    the same for a unix socket
//   probe attach ID            a segment of System V shared memory; prints "attached" or the error
//   probe descriptors          prints the numbers of its open descriptors
//   probe flood BYTES          writes that many bytes of lines to standard output
//   probe orphan MARK          leaves a process in a session of its own behind, after a double fork
//   probe line BYTES           writes one line of that many bytes, without newline

#include <arpa/inet.h>
#include <dirent.h>
#include <netdb.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

int fail(const std::string& what) {
  std::printf("%s: %s\n", what.c_str(), std::strerror(errno));
  return 1;
}

int connect_to(const char* address, int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address, &name.sin_addr);
  if (fd < 0) return -1;
  if (::connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0) return fd;
  ::close(fd);
  return -1;
}

int connect_to_unix(std::string_view path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0) return fail("connect");
  std::printf("connected\n");
  return 0;
}

int fetch(const std::string& url, const std::string& method) {
  const char* proxy = std::getenv("HTTP_PROXY");
  if (proxy == nullptr) {
    std::printf("no proxy\n");
    return 1;
  }
  const std::string text(proxy);
  const std::size_t colon = text.rfind(':');
  const int fd = connect_to("127.0.0.1", std::atoi(text.c_str() + colon + 1));
  if (fd < 0) return fail("proxy");
  const std::string host = url.substr(7, url.find('/', 7) - 7);
  const std::string head = method + " " + (method == "CONNECT" ? host : url) + " HTTP/1.1\r\nHost: " + host +
                           "\r\nConnection: close\r\n\r\n";
  if (::write(fd, head.data(), head.size()) < 0) return fail("write");
  std::string answer;
  char buffer[4096];
  ssize_t count = 0;
  while ((count = ::read(fd, buffer, sizeof buffer)) > 0) answer.append(buffer, static_cast<std::size_t>(count));
  const std::size_t body = answer.find("\r\n\r\n");
  std::printf("%s\n%s\n", answer.substr(9, 3).c_str(), body == std::string::npos ? "" : answer.c_str() + body + 4);
  return 0;
}

int attach(int id) {
  if (::shmat(id, nullptr, SHM_RDONLY) == reinterpret_cast<void*>(-1)) return fail("attach");
  std::printf("attached\n");
  return 0;
}

int descriptors() {
  DIR* directory = ::opendir("/proc/self/fd");
  if (directory == nullptr) return fail("/proc/self/fd");
  while (const dirent* entry = ::readdir(directory)) {
    const int number = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && number != ::dirfd(directory)) std::printf("%d\n", number);
  }
  ::closedir(directory);
  return 0;
}

int flood(long long bytes) {
  std::string block;
  while (block.size() < 60000)
    block += "{\"type\":\"message_update\",\"assistantMessageEvent\":{\"type\":\"text_delta\"}}\n";
  for (; bytes > 0; bytes -= static_cast<long long>(block.size())) {
    if (::fwrite(block.data(), 1, block.size(), stdout) != block.size()) return 1;
  }
  return 0;
}

int one_line(std::size_t bytes) {
  const std::string block(bytes, 'x');
  return ::fwrite(block.data(), 1, block.size(), stdout) == bytes ? 0 : 1;
}

int orphan() {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      // Holds standard output open, as a forgotten server would.
      while (true) ::pause();
    }
    ::_exit(0);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "fetch" && argc > 2) return fetch(argv[2], argc > 3 ? argv[3] : "GET");
  if (what == "connect" && argc > 3) {
    if (connect_to(argv[2], std::atoi(argv[3])) < 0) return fail("connect");
    std::printf("connected\n");
    return 0;
  }
  if (what == "connect-unix" && argc > 2) return connect_to_unix(argv[2]);
  if (what == "attach" && argc > 2) return attach(std::atoi(argv[2]));
  if (what == "descriptors") return descriptors();
  if (what == "flood" && argc > 2) return flood(std::atoll(argv[2]));
  if (what == "line" && argc > 2) return one_line(static_cast<std::size_t>(std::atoll(argv[2])));
  if (what == "orphan") return orphan();
  std::fprintf(stderr, "probe: unknown command\n");
  return 64;
}
