#pragma once
// Unix sockets of this machine that a read-only file system does not close: connecting to docker.sock or to the user's
// D-Bus makes a service outside run the agent's programs. Implemented for each platform.

#include <filesystem>
#include <string_view>
#include <vector>

namespace agentrun::host {

/// The paths of all listening unix sockets that this process can name.
[[nodiscard]] std::vector<std::filesystem::path> listening_unix_sockets();

/// Directories in which services put the sockets of this user, whether they listen now or not.
[[nodiscard]] std::vector<std::filesystem::path> socket_directories();

/// The paths of listening sockets in the text of /proc/net/unix. Abstract ones have none.
[[nodiscard]] std::vector<std::filesystem::path> parse_unix_sockets(std::string_view table);

/// Whoever can talk to a socket of this name can have a program run outside the sandbox (docker, podman, containerd,
/// systemd, D-Bus, ssh-agent).
[[nodiscard]] bool hands_over_the_host(const std::filesystem::path& socket);

}  // namespace agentrun::host
