#include "socks.hpp"

#include <cerrno>
#include <utility>

#include "agentrun/ipv4.hpp"

namespace agentrun::proxy {
namespace {

constexpr std::uint8_t command_connect = 1;
constexpr std::uint8_t type_ipv4 = 1;
constexpr std::uint8_t type_name = 3;
constexpr std::size_t address_at = 4;  ///< behind version, command, reserved and type

std::uint8_t byte_at(std::string_view bytes, std::size_t index) noexcept {
  return static_cast<std::uint8_t>(bytes[index]);
}

std::uint16_t port_at(std::string_view bytes, std::size_t index) noexcept {
  return static_cast<std::uint16_t>(byte_at(bytes, index) << 8 | byte_at(bytes, index + 1));
}

SocksRequest refuse(SocksReply reply) { return {SocksProgress::refused, reply, 0, std::nullopt}; }

SocksRequest complete(std::string_view bytes, std::size_t address_size, std::optional<HostName> host) {
  const std::size_t port_index = address_at + address_size;
  const std::uint16_t port = port_at(bytes, port_index);
  // A name with a colon would be read as an IPv6 literal; that has an address type of its own.
  if (!host || host->form == HostForm::ipv6 || port == 0) return refuse(SocksReply::general_failure);
  return {SocksProgress::complete, SocksReply::succeeded, port_index + 2, Target{std::move(*host), port}};
}

SocksRequest parse_ipv4(std::string_view bytes) {
  if (bytes.size() < address_at + 6) return {};
  std::uint32_t address = 0;
  for (std::size_t i = 0; i < 4; ++i) address = address << 8 | byte_at(bytes, address_at + i);
  return complete(bytes, 4, HostName{format_ipv4(address), HostForm::ipv4});
}

SocksRequest parse_name(std::string_view bytes) {
  if (bytes.size() <= address_at) return {};
  const std::size_t length = byte_at(bytes, address_at);
  if (bytes.size() < address_at + 1 + length + 2) return {};
  return complete(bytes, 1 + length, parse_host(bytes.substr(address_at + 1, length)));
}

}  // namespace

SocksGreeting parse_socks_greeting(std::string_view bytes) noexcept {
  if (bytes.size() < 2) return {};
  const std::size_t size = 2 + std::size_t{byte_at(bytes, 1)};
  if (bytes.size() < size) return {};
  const bool offers_none = bytes.substr(2, size - 2).find('\0') != std::string_view::npos;
  return {offers_none ? SocksProgress::complete : SocksProgress::refused, size};
}

SocksRequest parse_socks_request(std::string_view bytes) {
  if (!bytes.empty() && bytes[0] != socks_version) return refuse(SocksReply::general_failure);
  if (bytes.size() < address_at) return {};
  if (byte_at(bytes, 1) != command_connect) return refuse(SocksReply::command_not_supported);
  if (byte_at(bytes, 2) != 0) return refuse(SocksReply::general_failure);
  switch (byte_at(bytes, 3)) {
    case type_ipv4:
      return parse_ipv4(bytes);
    case type_name:
      return parse_name(bytes);
    default:
      return refuse(SocksReply::address_type_not_supported);
  }
}

std::string socks_answer(SocksReply reply) {
  std::string out{"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10};
  out[1] = static_cast<char>(reply);
  return out;
}

SocksReply socks_reply_for(int error) noexcept {
  switch (error) {
    case ECONNREFUSED:
      return SocksReply::connection_refused;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return SocksReply::general_failure;
    default:
      return SocksReply::host_unreachable;
  }
}

}  // namespace agentrun::proxy
