#pragma once
// TLS client hellos, made field by field so that each can be wrong.

#include <string>
#include <string_view>
#include <vector>

namespace agentrun::proxy::test {

/// With its length, of `size` bytes, in front.
[[nodiscard]] std::string vector_of(std::size_t size, std::string_view bytes);
[[nodiscard]] std::string extension(unsigned type, std::string_view content);
/// A server_name extension with these names.
[[nodiscard]] std::string server_name(const std::vector<std::string>& names);
/// The body of the message.
[[nodiscard]] std::string hello_body(std::string_view extensions);
[[nodiscard]] std::string hello_message(std::string_view body);
[[nodiscard]] std::string handshake_record(std::string_view content);

/// A whole hello in one record; an empty `name` leaves the extension out.
[[nodiscard]] std::string client_hello(std::string_view name);

}  // namespace agentrun::proxy::test
