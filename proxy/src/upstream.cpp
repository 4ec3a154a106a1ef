#include "agentrun/proxy/upstream.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "basic_authorization.hpp"
#include "http_syntax.hpp"
#include "target.hpp"

namespace agentrun::proxy {
namespace {

using Names = std::array<std::string_view, 4>;
constexpr Names tunnel_variables = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
constexpr Names plain_variables = {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"};

constexpr std::string_view scheme_mark = "://";

/// A name that may stand before "://"; what has other bytes in front of it is a password, not a scheme.
bool is_other_scheme(std::string_view url) noexcept {
  const std::size_t mark = url.find(scheme_mark);
  return mark != std::string_view::npos && url.find_first_of(":/?#@") == mark;
}

/// "HOST:PORT", "USER@HOST" and the like, up to a path that means nothing here.
std::optional<UpstreamServer> parse_server(std::string_view text) {
  text = text.substr(0, text.find_first_of("/?#"));
  UpstreamServer server;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    if (at > 0) server.authorization = basic_authorization(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  std::optional<Authority> authority = parse_authority(text);
  if (!authority || authority->host.form == HostForm::ipv6) return std::nullopt;
  server.host = std::move(authority->host);
  server.port = authority->port.value_or(server.port);
  return server;
}

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  std::optional<UpstreamServer> first_of(const Names& names) {
    for (const std::string_view name : names) {
      if (const auto value = environment_.get_nonempty(name)) return read(name, trim_blanks(*value));
    }
    return std::nullopt;
  }

  std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  std::optional<UpstreamServer> read(std::string_view name, std::string_view value) {
    static constexpr std::string_view http = "http://";
    if (starts_with_ignoring_case(value, http)) {
      value.remove_prefix(http.size());
    } else if (is_other_scheme(value)) {
      note(name, "only http:// proxies are supported");
      return std::nullopt;
    }
    auto server = parse_server(value);
    if (!server) note(name, "it is not of the form [http://][USER:PASSWORD@]HOST[:PORT] with a name or IPv4 address");
    return server;
  }

  void note(std::string_view name, std::string_view why) {
    std::string text = std::string(name) + " is not used, connections go direct: " + std::string(why);
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
  }

  const Environment& environment_;
  std::vector<std::string> notes_;
};

}  // namespace

UpstreamReading read_upstream(const Environment& environment) {
  Reader reader(environment);
  UpstreamReading reading;
  reading.upstream.tunnels = reader.first_of(tunnel_variables);
  reading.upstream.plain = reader.first_of(plain_variables);
  const auto direct = environment.get_nonempty("no_proxy");
  reading.upstream.direct = DirectHosts::parse(direct ? *direct : environment.get_nonempty("NO_PROXY").value_or(""));
  reading.notes = reader.take_notes();
  return reading;
}

}  // namespace agentrun::proxy
