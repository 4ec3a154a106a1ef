#include "http_request.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "malformed.hpp"

namespace agentrun::proxy {
namespace {

constexpr std::uint16_t http_port = 80;

/// What the fields say about the message itself. Counted, because a second line of one of these is how two servers
/// are made to disagree about where a request ends.
struct Framing {
  std::optional<std::uint64_t> content_length;
  bool has_transfer_encoding = false;
  bool has_host = false;
};

/// Digits only; nothing for an empty value, a sign, a list or more than 64 bits.
std::optional<std::uint64_t> parse_length(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

template <class T>
using Read = tl::expected<T, std::string_view>;

Read<Framing> read_framing(const RequestHead& head) {
  Framing framing;
  for (const HeaderField& field : head.fields) {
    if (equals_ignoring_case(field.name, "Content-Length")) {
      if (framing.content_length) return tl::unexpected(malformed::length);
      framing.content_length = parse_length(field.value);
      if (!framing.content_length) return tl::unexpected(malformed::length);
    } else if (equals_ignoring_case(field.name, "Transfer-Encoding")) {
      framing.has_transfer_encoding = true;
    } else if (equals_ignoring_case(field.name, "Host")) {
      if (framing.has_host || !parse_authority(field.value)) return tl::unexpected(malformed::host);
      framing.has_host = true;
    }
  }
  if (!framing.has_host && head.version == "HTTP/1.1") return tl::unexpected(malformed::host);
  return framing;
}

bool is_hop_by_hop(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 6> names = {"Connection", "Keep-Alive",        "TE",
                                                            "Trailer",    "Transfer-Encoding", "Upgrade"};
  return std::ranges::any_of(names, [name](std::string_view other) { return equals_ignoring_case(name, other); }) ||
         starts_with_ignoring_case(name, "Proxy-");
}

bool is_named_by_connection(const RequestHead& head, std::string_view name) noexcept {
  return std::ranges::any_of(head.fields, [name](const HeaderField& field) {
    return equals_ignoring_case(field.name, "Connection") && list_names(field.value, name);
  });
}

struct AbsoluteForm {
  Target target;
  std::string path;
};

std::optional<AbsoluteForm> parse_absolute_form(std::string_view method, std::string_view text) {
  static constexpr std::string_view scheme = "http://";
  if (!starts_with_ignoring_case(text, scheme) || text.find('#') != std::string_view::npos) return std::nullopt;
  text.remove_prefix(scheme.size());

  const std::size_t authority_end = std::min(text.find_first_of("/?"), text.size());
  std::optional<Authority> authority = parse_authority(text.substr(0, authority_end));
  if (!authority) return std::nullopt;

  const std::string_view rest = text.substr(authority_end);
  AbsoluteForm form{{std::move(authority->host), authority->port.value_or(http_port)}, {}};
  if (rest.empty()) {
    form.path.push_back(method == "OPTIONS" ? '*' : '/');
  } else {
    if (rest.starts_with('?')) form.path.push_back('/');
    form.path.append(rest);
  }
  return form;
}

/// As a Host field and a URL name it.
std::string authority_of(const Target& target) {
  return target.port == http_port ? target.host.text : to_string(target);
}

std::string forwarded_head(const RequestHead& head, const AbsoluteForm& form, const Framing& framing) {
  std::string out;
  out.reserve(head.size + 64);
  out.append(head.method).append(" ").append(form.path).append(" ").append(head.version).append("\r\nHost: ");
  out.append(authority_of(form.target)).append("\r\n");
  for (const HeaderField& field : head.fields) {
    if (equals_ignoring_case(field.name, "Host") || is_hop_by_hop(field.name)) continue;
    out.reserve(out.size() + field.name.size() + field.value.size() + 4);
    if (equals_ignoring_case(field.name, "Content-Length")) {
      out.append(field.name).append(": ").append(std::to_string(*framing.content_length)).append("\r\n");
    } else if (!is_named_by_connection(head, field.name)) {
      out.append(field.name).append(": ").append(field.value).append("\r\n");
    }
  }
  out.append("Connection: close\r\n\r\n");
  return out;
}

Read<HttpRequest> interpret_connect(const RequestHead& head) {
  std::optional<Authority> authority = parse_authority(head.target);
  if (!authority || !authority->port) return tl::unexpected(malformed::connect_target);
  // Content-Length and Transfer-Encoding mean nothing here: what follows is tunnel data.
  return HttpRequest{{std::move(authority->host), *authority->port}, std::nullopt, false};
}

}  // namespace

std::string head_for_upstream(const Forward& forward, const Target& target, std::string_view authorization) {
  const std::string_view head = forward.head;
  const std::size_t line_end = head.find("\r\n") + 2;
  std::string_view rest_of_line = head.substr(forward.path_at, line_end - forward.path_at);
  // "OPTIONS *" asks the last proxy of a chain; before it stands the URL without a path (RFC 9112, 3.2.4).
  if (rest_of_line.starts_with("* ")) rest_of_line.remove_prefix(1);

  std::string out;
  out.reserve(head.size() + target.host.text.size() + authorization.size() + 64);
  out.append(head.substr(0, forward.path_at)).append("http://").append(authority_of(target)).append(rest_of_line);
  if (!authorization.empty()) out.append("Proxy-Authorization: ").append(authorization).append("\r\n");
  return out.append(head.substr(line_end));
}

tl::expected<HttpRequest, std::string_view> interpret(const RequestHead& head) {
  const Read<Framing> framing = read_framing(head);
  if (!framing) return tl::unexpected(framing.error());
  if (head.method == "CONNECT") return interpret_connect(head);

  if (framing->has_transfer_encoding && framing->content_length) return tl::unexpected(malformed::two_framings);
  std::optional<AbsoluteForm> form = parse_absolute_form(head.method, head.target);
  if (!form) return tl::unexpected(malformed::plain_target);
  Forward forward{forwarded_head(head, *form, *framing), head.method.size() + 1, framing->content_length.value_or(0),
                  framing->has_transfer_encoding};
  return HttpRequest{std::move(form->target), std::move(forward), head.method == "HEAD"};
}

}  // namespace agentrun::proxy
