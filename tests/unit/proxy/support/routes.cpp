#include "support/routes.hpp"

namespace agentrun::proxy::test {
namespace {

using namespace std::string_literals;

const std::string socks_greeting = "\x05\x01\x00"s;

std::string port_bytes(std::uint16_t port) { return {static_cast<char>(port >> 8), static_cast<char>(port & 0xFF)}; }

Answer http_answer(Peer& client) {
  switch (status_of(client.receive_through("\r\n\r\n"))) {
    case 400:
      return Answer::malformed;
    case 403:
      return Answer::refused;
    case 502:
      return Answer::failed;
    case 200:
      return Answer::open;
    default:
      return Answer::other;
  }
}

Answer socks_answer(Peer& client) {
  if (client.receive(2).bytes != "\x05\x00"s) return Answer::other;
  const std::string reply = client.receive(10).bytes;
  if (reply.size() != 10) return Answer::other;
  switch (reply[1]) {
    case 0:
      return Answer::open;
    case 1:
      return Answer::malformed;
    case 2:
      return Answer::refused;
    case 4:
    case 5:
      return Answer::failed;
    default:
      return Answer::other;
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Route route) {
  static constexpr const char* names[] = {"CONNECT", "plain HTTP", "SOCKS5"};
  return out << names[static_cast<std::size_t>(route)];
}

std::ostream& operator<<(std::ostream& out, Answer answer) {
  static constexpr const char* names[] = {"malformed", "refused", "failed", "open", "other"};
  return out << names[static_cast<std::size_t>(answer)];
}

std::string request_for(Route route, const std::string& host, std::uint16_t port) {
  const std::string authority = host + ':' + std::to_string(port);
  switch (route) {
    case Route::connect:
      return "CONNECT " + authority + " HTTP/1.0\r\n\r\n";
    case Route::plain:
      return "GET http://" + authority + "/ HTTP/1.0\r\n\r\n";
    default:
      return socks_greeting + "\x05\x01\x00\x03"s + static_cast<char>(host.size()) + host + port_bytes(port);
  }
}

std::string socks_request_for(std::uint32_t address, std::uint16_t port) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(address >> shift & 0xFF));
  return socks_greeting + "\x05\x01\x00\x01"s + bytes + port_bytes(port);
}

Answer answer_to(Peer& client, const std::string& request) {
  client.try_send(request);
  return request.starts_with('\x05') ? socks_answer(client) : http_answer(client);
}

Answer answer_to(const ProxyUnderTest& proxy, const std::string& request) {
  Peer client = proxy.connect();
  return answer_to(client, request);
}

}  // namespace agentrun::proxy::test
