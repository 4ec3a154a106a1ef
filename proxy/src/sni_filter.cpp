#include "sni_filter.hpp"

#include <utility>

namespace agentrun::proxy {
namespace {

/// fatal, unrecognized_name (RFC 6066, 9): what the client's TLS library can put into words.
constexpr std::string_view unrecognized_name{"\x15\x03\x03\x00\x02\x02\x70", 7};

}  // namespace

bool may_pass(SniCheck check, const HostName& host, const std::optional<std::string>& name) {
  if (!name) return check != SniCheck::strict || host.form == HostForm::ipv4;
  return parse_host(*name) == host;
}

FlowFilter::Progress SniFilter::feed(std::string_view bytes, std::string& out) {
  held_.append(bytes);
  switch (reader_.feed(bytes)) {
    case ClientHelloReader::Progress::need_more:
      return Progress::need_more;
    case ClientHelloReader::Progress::not_tls:
      return check_ == SniCheck::strict ? refuse({}) : pass(out);
    case ClientHelloReader::Progress::hello:
      return may_pass(check_, target_.host, reader_.name()) ? pass(out) : refuse(unrecognized_name);
    case ClientHelloReader::Progress::broken:
      break;
  }
  return refuse(unrecognized_name);
}

FlowFilter::Progress SniFilter::end(std::string& out) {
  if (held_.empty()) return Progress::passed;
  return check_ == SniCheck::strict ? refuse({}) : pass(out);
}

FlowFilter::Progress SniFilter::pass(std::string& out) {
  out.append(held_);
  held_ = {};
  return Progress::passed;
}

FlowFilter::Progress SniFilter::refuse(std::string_view last_words) {
  log_.refused(target_, DenyReason::sni_mismatch);
  last_words_ = last_words;
  return Progress::refused;
}

}  // namespace agentrun::proxy
