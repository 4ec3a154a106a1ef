// Finds the other end in the kernel's list of TCP sockets, which names each one's owner.

#include <arpa/inet.h>
#include <netinet/in.h>
// The order matters: each needs the ones before.
#include <sys/socketvar.h>
#include <sys/sysctl.h>

#include <netinet/in_pcb.h>
#include <netinet/tcp.h>
#include <netinet/tcp_var.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "peer_guard.hpp"

namespace agentrun::proxy {
namespace {

std::vector<char> read_socket_list() {
  static constexpr const char* name = "net.inet.tcp.pcblist";
  std::size_t size = 0;
  if (::sysctlbyname(name, nullptr, &size, nullptr, 0) != 0) return {};
  std::vector<char> list(size + size / 4);
  size = list.size();
  if (::sysctlbyname(name, list.data(), &size, nullptr, 0) != 0) return {};
  list.resize(size);
  return list;
}

class SameUserGuard final : public PeerGuard {
 public:
  bool admits(int descriptor) noexcept override {
    sockaddr_in ours{};
    sockaddr_in peer{};
    socklen_t ours_size = sizeof ours;
    socklen_t peer_size = sizeof peer;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&ours), &ours_size) != 0 ||
        ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0)
      return false;
    try {
      return is_owned_by_us(peer, ours);
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  [[nodiscard]] bool is_owned_by_us(const sockaddr_in& local, const sockaddr_in& remote) const {
    const std::vector<char> list = read_socket_list();
    xinpgen header;
    if (list.size() < sizeof header) return false;
    std::memcpy(&header, list.data(), sizeof header);
    for (std::size_t at = header.xig_len; at + sizeof(xtcpcb) <= list.size();) {
      xtcpcb entry;
      std::memcpy(&entry, list.data() + at, sizeof entry);
      if (entry.xt_len < sizeof entry) return false;
      at += entry.xt_len;
      const auto& ends = entry.xt_inp;
      if (ends.inp_lport == local.sin_port && ends.inp_fport == remote.sin_port &&
          ends.inp_laddr.s_addr == local.sin_addr.s_addr && ends.inp_faddr.s_addr == remote.sin_addr.s_addr)
        return entry.xt_socket.so_uid == user_;
    }
    return false;
  }

  const uid_t user_ = ::geteuid();
};

}  // namespace

std::unique_ptr<PeerGuard> make_same_user_guard() { return std::make_unique<SameUserGuard>(); }

}  // namespace agentrun::proxy
