#include "namespaces.hpp"

namespace agentrun::bwrap {

std::vector<Namespaces> namespace_attempts(bool root) {
  // Independent things can be refused: --disable-userns (bwrap before 0.8, a set-user-id bwrap, a read-only /proc/sys),
  // a fresh /proc for the PID namespace (containers that mask parts of theirs), and to root a user namespace.
  //
  // Without both namespaces there would be no sandbox: /proc/PID/root of any process outside that has the same user
  // and no more capabilities, as bwrap itself, leads past all mounts.
  std::vector<Namespaces> attempts{{Users::locked, true}, {Users::own, true}};
  if (root) attempts.push_back({Users::shared, true});
  attempts.push_back({Users::locked, false});
  attempts.push_back({Users::own, false});
  return attempts;
}

std::vector<std::string> missing(const Namespaces& namespaces) {
  std::vector<std::string> phrases;
  if (!namespaces.processes) phrases.emplace_back("shares the process list");
  if (namespaces.users != Users::locked) phrases.emplace_back("can make user namespaces");
  return phrases;
}

unsigned depth(const Namespaces& namespaces) noexcept { return namespaces.processes ? 2 : 1; }

std::vector<std::string> namespace_arguments(const Namespaces& namespaces, Loopback loopback, bool root) {
  std::vector<std::string> arguments{"--die-with-parent"};
  // Network: also takes away the abstract unix sockets outside (D-Bus, X11).
  if (loopback == Loopback::own) arguments.emplace_back("--unshare-net");
  if (namespaces.processes) arguments.emplace_back("--unshare-pid");
  // System V shared memory belongs to the user and not to a path: without this the agent could attach to a running
  // database or X server and write into its memory. Programs that use it among themselves do not notice.
  // No UTS namespace: it would only give the agent a host name to change, which needs a capability it does not have.
  arguments.emplace_back("--unshare-ipc");
  // Never left to bwrap, which makes none for root and none where it is set-user-id.
  if (namespaces.users != Users::shared) arguments.emplace_back("--unshare-user");
  // All capabilities are to be had again in a user namespace of one's own, and with them the parts of the kernel that
  // only root reaches (nftables: CVE-2022-32250, CVE-2024-1086).
  if (namespaces.users == Users::locked) arguments.emplace_back("--disable-userns");
  if (root) {
    // Root keeps its capabilities in bwrap: remounting the read-only root as writable would be one command.
    arguments.emplace_back("--cap-drop");
    arguments.emplace_back("ALL");
  }
  return arguments;
}

}  // namespace agentrun::bwrap
