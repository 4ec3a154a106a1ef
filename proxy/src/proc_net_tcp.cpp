#include "proc_net_tcp.hpp"

#include <arpa/inet.h>

#include <array>
#include <charconv>

namespace agentrun::proxy {
namespace {

constexpr std::uint32_t state_listen = 10;

template <class Number>
std::optional<Number> parse(std::string_view text, int base) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "0100007F:1F90": the address as the machine's number of the bytes in network order.
std::optional<Endpoint> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto address = parse<std::uint32_t>(text.substr(0, colon), 16);
  const auto port = parse<std::uint16_t>(text.substr(colon + 1), 16);
  if (!address || !port) return std::nullopt;
  return Endpoint{ntohl(*address), *port};
}

/// The columns that matter: 1 local, 2 remote, 3 state, 7 owner, 9 inode.
std::array<std::string_view, 10> split(std::string_view line) {
  std::array<std::string_view, 10> columns;
  for (std::string_view& column : columns) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    line.remove_prefix(start);
    column = line.substr(0, line.find(' '));
    line.remove_prefix(column.size());
  }
  return columns;
}

}  // namespace

std::optional<std::uint32_t> find_owner(std::string_view table, Endpoint local, Endpoint remote) {
  while (!table.empty()) {
    const std::size_t end = table.find('\n');
    const auto columns = split(table.substr(0, end));
    table.remove_prefix(end == std::string_view::npos ? table.size() : end + 1);
    if (parse_endpoint(columns[1]) != local || parse_endpoint(columns[2]) != remote) continue;
    const bool is_connected = parse<std::uint32_t>(columns[3], 16).value_or(state_listen) != state_listen;
    // Without an inode no process holds it any more, and the owner column says 0: root.
    const bool is_held = parse<std::uint64_t>(columns[9], 10).value_or(0) != 0;
    if (is_connected && is_held) return parse<std::uint32_t>(columns[7], 10);
  }
  return std::nullopt;
}

}  // namespace agentrun::proxy
