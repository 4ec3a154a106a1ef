#pragma once
// User and password of a proxy URL, as the Basic scheme sends them (RFC 7617).

#include <string>
#include <string_view>

namespace agentrun::proxy {

/// "%41" becomes "A"; a '%' without two hex digits behind it stays as it is.
[[nodiscard]] std::string percent_decoded(std::string_view text);

/// RFC 4648, with padding. Its output has no byte that could end a header line, whatever goes in.
[[nodiscard]] std::string base64(std::string_view bytes);

/// "Basic …" for the "USER" or "USER:PASSWORD" of a URL.
[[nodiscard]] std::string basic_authorization(std::string_view user_information);

}  // namespace agentrun::proxy
