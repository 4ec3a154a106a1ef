#include "support/client_hello.hpp"

namespace agentrun::proxy::test {
namespace {

std::string number(std::size_t size, std::size_t value) {
  std::string bytes(size, '\0');
  for (std::size_t i = size; i > 0; --i, value >>= 8) bytes[i - 1] = static_cast<char>(value & 0xFF);
  return bytes;
}

}  // namespace

std::string vector_of(std::size_t size, std::string_view bytes) { return number(size, bytes.size()).append(bytes); }

std::string extension(unsigned type, std::string_view content) { return number(2, type) + vector_of(2, content); }

std::string server_name(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += number(1, 0) + vector_of(2, name);
  return extension(0, vector_of(2, list));
}

std::string hello_body(std::string_view extensions) {
  const std::string session_id(32, 's');
  return "\x03\x03" + std::string(32, 'r') + vector_of(1, session_id) + vector_of(2, "\x13\x01\x13\x02") +
         vector_of(1, std::string(1, '\0')) + vector_of(2, extensions);
}

std::string hello_message(std::string_view body) { return "\x01" + vector_of(3, body); }

std::string handshake_record(std::string_view content) { return "\x16\x03\x01" + vector_of(2, content); }

std::string client_hello(std::string_view name) {
  const std::string groups = extension(10, vector_of(2, std::string_view("\x00\x1D", 2)));
  return handshake_record(hello_message(hello_body(name.empty() ? groups : groups + server_name({std::string(name)}))));
}

}  // namespace agentrun::proxy::test
