#include "socat_carrier.hpp"

#include <algorithm>

namespace agentrun::bwrap {
namespace {

// Everything that differs from run to run is a positional parameter and never part of this text: a directory name is
// no shell code. $1 socat, $2 directory of the socket, $3 and $4 socat's addresses, then the command.
//
// The command must not start before socat listens, or its first connection is refused. socat says so on standard
// error (-d -d), and the shell reads that from a pipe: no polling, no sleeping. The brackets end as soon as socat is
// in the background, so socat belongs to the sandbox's first process; a command that waits for all of its children
// would otherwise wait for a stranger. Nobody reads the pipe later: socat ignores SIGPIPE, and so it must not hold the
// command's own standard streams, which would never end then.
// One line, as a dry run shows it.
constexpr const char* script = R"({ cd "$2" && exec "$1" -d -d -t 60 "$3" "$4" </dev/null 2>&1 >/dev/null & } | { )"
                               R"(ready= last=; while [ -z "$ready" ] && IFS= read -r line; do )"
                               R"(case $line in *' listening on '*) ready=1 ;; *) last=$line ;; esac; done; )"
                               R"([ "$ready" ] || { printf 'bwrap: socat cannot listen: %s\n' "$last" >&2; exit 1; }; )"
                               R"(} || exit 1; shift 4; exec "$@")";

bool plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  });
}

}  // namespace

Result<std::vector<std::string>> SocatCarrier::before_command(const NetworkAccess& network) const {
  const std::string name = network.proxy_socket.filename().native();
  if (!network.proxy_socket.is_absolute() || !plain(name)) {
    return failure(ErrorCode::usage, "socat cannot connect to a socket of this name: " + network.proxy_socket.native(),
                   "Use letters, digits, '.', '-' and '_' for the name of the proxy's socket");
  }
  // TCP4: socat 1.8 otherwise prefers IPv6 and dies on kernels without it. backlog: the default of 5 loses connections
  // when a package manager opens eight at once. nodelay: small answers would wait for the peer's delayed
  // acknowledgement (40 ms). -t 60: a half-closed connection would end after 0.5 s.
  return std::vector<std::string>{
      "/bin/sh",
      "-c",
      script,
      "agentrun",
      socat_.native(),
      network.proxy_socket.parent_path().native(),
      "TCP4-LISTEN:" + port_text(network) + ",bind=127.0.0.1,fork,reuseaddr,backlog=4096,nodelay",
      "UNIX-CONNECT:" + name,
  };
}

}  // namespace agentrun::bwrap
