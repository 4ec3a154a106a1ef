// Asks the kernel for the owner of the other end's socket: sock_diag(7), one exact look-up by addresses and ports; in
// a kernel or sandbox without it, /proc/net/tcp.

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "peer_guard.hpp"
#include "proc_net_tcp.hpp"

namespace agentrun::proxy {
namespace {

using NameCall = int (*)(int, sockaddr*, socklen_t*);

std::optional<Endpoint> end_of(int descriptor, NameCall call) noexcept {
  sockaddr_in name{};
  socklen_t size = sizeof name;
  if (call(descriptor, reinterpret_cast<sockaddr*>(&name), &size) != 0) return std::nullopt;
  if (size < sizeof name || name.sin_family != AF_INET) return std::nullopt;
  return Endpoint{ntohl(name.sin_addr.s_addr), ntohs(name.sin_port)};
}

/// One netlink socket, asked one question at a time.
class SockDiag {
 public:
  enum class Outcome { found, absent, broken };
  struct Answer {
    Outcome outcome = Outcome::broken;
    std::uint32_t owner = 0;
  };

  SockDiag() noexcept : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG)) {}
  SockDiag(const SockDiag&) = delete;
  SockDiag& operator=(const SockDiag&) = delete;
  ~SockDiag() {
    if (socket_ >= 0) ::close(socket_);
  }

  Answer owner_of(Endpoint local, Endpoint remote) noexcept {
    if (socket_ < 0 || !ask(local, remote)) return {};
    return read_answer(local, remote);
  }

 private:
  bool ask(Endpoint local, Endpoint remote) noexcept {
    struct {
      nlmsghdr header;
      inet_diag_req_v2 body;
    } request{};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.header.nlmsg_flags = NLM_F_REQUEST;
    request.header.nlmsg_seq = ++sequence_;
    request.body.sdiag_family = AF_INET;
    request.body.sdiag_protocol = IPPROTO_TCP;
    request.body.id.idiag_src[0] = htonl(local.address);
    request.body.id.idiag_sport = htons(local.port);
    request.body.id.idiag_dst[0] = htonl(remote.address);
    request.body.id.idiag_dport = htons(remote.port);
    request.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
    request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    return ::send(socket_, &request, sizeof request, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof request);
  }

  /// The kernel has answered when send() returns; an older answer that was never read is skipped.
  Answer read_answer(Endpoint local, Endpoint remote) noexcept {
    alignas(nlmsghdr) char buffer[4096];
    for (;;) {
      const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count < static_cast<ssize_t>(sizeof(nlmsghdr))) return {};
      nlmsghdr header;
      std::memcpy(&header, buffer, sizeof header);
      if (header.nlmsg_seq != sequence_) continue;
      const auto body_size = static_cast<std::size_t>(count) - NLMSG_HDRLEN;
      return read_body(header.nlmsg_type, buffer + NLMSG_HDRLEN, body_size, local, remote);
    }
  }

  static Answer read_body(std::uint16_t type, const char* body, std::size_t size, Endpoint local,
                          Endpoint remote) noexcept {
    if (type == NLMSG_ERROR && size >= sizeof(nlmsgerr)) {
      nlmsgerr error;
      std::memcpy(&error, body, sizeof error);
      return {error.error == -ENOENT ? Outcome::absent : Outcome::broken, 0};
    }
    if (type != SOCK_DIAG_BY_FAMILY || size < sizeof(inet_diag_msg)) return {};
    inet_diag_msg found;
    std::memcpy(&found, body, sizeof found);
    // Without a connected socket the kernel looks for a listening one on that port: somebody else's. And a socket that
    // its process has closed has no inode and counts as root's: by sending and closing quickly another user would
    // pass for root.
    const bool is_the_one = found.idiag_state != TCP_LISTEN && found.idiag_inode != 0 &&
                            found.id.idiag_sport == htons(local.port) && found.id.idiag_dport == htons(remote.port);
    return {is_the_one ? Outcome::found : Outcome::absent, found.idiag_uid};
  }

  int socket_;
  std::uint32_t sequence_ = 0;
};

class SameUserGuard final : public PeerGuard {
 public:
  bool admits(int descriptor) noexcept override {
    try {
      if (!ours_) ours_ = end_of(descriptor, ::getsockname);
      const auto peer = end_of(descriptor, ::getpeername);
      if (!ours_ || !peer) return false;
      const auto owner = owner_of(*peer, *ours_);
      return owner && *owner == user_;
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  std::optional<std::uint32_t> owner_of(Endpoint local, Endpoint remote) {
    if (!diag_) diag_.emplace();
    const SockDiag::Answer answer = diag_->owner_of(local, remote);
    if (answer.outcome == SockDiag::Outcome::found) return answer.owner;
    // Both "gone" and "this kernel cannot say" are ENOENT. Our own end is there for certain.
    const bool can_tell = diag_->owner_of(remote, local).outcome == SockDiag::Outcome::found;
    if (can_tell) return std::nullopt;
    std::ifstream file("/proc/net/tcp");
    const std::string table{std::istreambuf_iterator<char>(file), {}};
    return find_owner(table, local, remote);
  }

  const std::uint32_t user_ = ::geteuid();
  std::optional<Endpoint> ours_;  ///< the same for every connection of a listener that has one address
  std::optional<SockDiag> diag_;  ///< made for the first connection: most runs have none on the port
};

}  // namespace

std::unique_ptr<PeerGuard> make_same_user_guard() { return std::make_unique<SameUserGuard>(); }

}  // namespace agentrun::proxy
