#include "session/unix_sockets.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace agentrun::host {
namespace {

constexpr unsigned listens = 0x10000;  // __SO_ACCEPTCON

/// Takes the first field of `rest` off.
std::string_view field(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view found = rest.substr(0, rest.find(' '));
  rest.remove_prefix(found.size());
  return found;
}

}  // namespace

std::vector<std::filesystem::path> parse_unix_sockets(std::string_view table) {
  std::set<std::filesystem::path> paths;
  while (!table.empty()) {
    std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    // Num RefCount Protocol Flags Type St Inode Path
    for (int skipped = 0; skipped < 3; ++skipped) field(line);
    const std::string_view text = field(line);
    unsigned flags = 0;
    std::from_chars(text.data(), text.data() + text.size(), flags, 16);
    for (int skipped = 0; skipped < 3; ++skipped) field(line);
    // The path is the rest of the line, spaces included.
    if (!line.empty()) line.remove_prefix(1);
    if ((flags & listens) != 0 && line.starts_with('/')) paths.emplace(line);
  }
  return {paths.begin(), paths.end()};
}

bool hands_over_the_host(const std::filesystem::path& socket) {
  constexpr std::array<std::string_view, 9> names{
      "docker", "containerd", "podman", "crio", "buildkit", "systemd", "dbus", "system_bus_socket", "ssh-"};
  const std::string path = socket.native();
  if (socket.filename() == "bus" || socket.filename() == "private") return true;
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return path.find(name) != std::string::npos; });
}

}  // namespace agentrun::host
