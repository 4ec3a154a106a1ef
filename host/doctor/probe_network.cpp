#include "doctor/probe_network.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "agentrun/text.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {
namespace {

constexpr std::size_t largest_answer = 8192;
constexpr int step_seconds = 25;

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses look_up(const std::string& host, const char* port, std::string& why) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port, &wanted, &found); error != 0) {
    why = ::gai_strerror(error);
    found = nullptr;
  }
  return {found, &::freeaddrinfo};
}

Descriptor connect_to(const std::string& host, const std::string& port, std::string& why) {
  const Addresses addresses = look_up(host, port.c_str(), why);
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    Descriptor socket(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const timeval limit{step_seconds, 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(socket.get(), one->ai_addr, one->ai_addrlen) == 0) return socket;
    why = system_text(errno);
  }
  return {};
}

std::string proxy_of_here() {
  for (const char* name : {"HTTPS_PROXY", "https_proxy"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  }
  return {};
}

/// The digits in front; 0 without any.
int leading_number(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, 0);
}

/// Where the answer ends: behind the head of one that opens the tunnel, else behind its body. Nothing before the head
/// is there, and for a body up to the end of the connection.
std::optional<std::size_t> end_of(std::string_view answer) {
  const std::size_t head = answer.find("\r\n\r\n");
  if (head == std::string_view::npos) return std::nullopt;
  if (answer.find(" 200") == 8) return head + 4;
  std::string lower(answer.substr(0, head));
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view name = "\r\ncontent-length:";
  std::size_t length = lower.find(name);
  if (length == std::string::npos) return std::nullopt;
  length = std::min(lower.find_first_not_of(" \t", length + name.size()), lower.size());
  return head + 4 + static_cast<std::size_t>(leading_number(std::string_view(lower).substr(length)));
}

std::string read_answer(int socket) {
  std::string answer;
  std::array<char, 1024> buffer{};
  while (answer.size() < largest_answer && answer.size() < end_of(answer).value_or(largest_answer)) {
    const ssize_t count = ::read(socket, buffer.data(), buffer.size());
    if (count <= 0) break;
    answer.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return answer;
}

ConnectAnswer parse_answer(const std::string& answer) {
  if (!answer.starts_with("HTTP/1.") || answer.size() < 12) return {0, "the proxy gave no answer"};
  const int status = leading_number(std::string_view(answer).substr(9, 3));
  const std::size_t head_end = answer.find("\r\n\r\n");
  const std::string body = head_end == std::string::npos || status == 200 ? "" : answer.substr(head_end + 4);
  return {status, summary_line(first_line(body), 300)};
}

ConnectAnswer tunnel(const std::string& proxy, const std::string& host, const std::string& port) {
  std::string authority = proxy.substr(proxy.find("://") == std::string::npos ? 0 : proxy.find("://") + 3);
  authority = authority.substr(0, authority.find('/'));
  const std::size_t colon = std::min(authority.rfind(':'), authority.size());
  std::string why;
  const Descriptor socket =
      connect_to(authority.substr(0, colon), authority.substr(std::min(colon + 1, authority.size())), why);
  if (!socket.valid()) return {0, "no connection to the proxy (" + why + ")"};
  const std::string target = host + ":" + port;
  const std::string request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n";
  if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return {0, system_text(errno)};
  return parse_answer(read_answer(socket.get()));
}

}  // namespace

ConnectAnswer connect_from_here(const std::string& host, const std::string& port) {
  if (const std::string proxy = proxy_of_here(); !proxy.empty()) return tunnel(proxy, host, port);
  std::string why;
  const Descriptor socket = connect_to(host, port, why);
  return socket.valid() ? ConnectAnswer{200, {}} : ConnectAnswer{0, why};
}

std::vector<std::string> addresses_of(const std::string& host) {
  std::string why;
  const Addresses found = look_up(host, nullptr, why);
  std::vector<std::string> addresses;
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
    sockaddr_in address{};
    std::memcpy(&address, one->ai_addr, sizeof address);
    std::array<char, INET_ADDRSTRLEN> text{};
    if (::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) != nullptr)
      addresses.emplace_back(text.data());
  }
  return addresses;
}

}  // namespace agentrun::host
