#include "answers.hpp"

#include <netdb.h>

#include <system_error>

namespace agentrun::proxy {
namespace {

std::string_view reason_phrase(int status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 431:
      return "Request Header Fields Too Large";
    case 502:
      return "Bad Gateway";
    default:
      return "Error";
  }
}

std::string about(const Target& target, std::string_view what) {
  return "agentrun: " + to_string(target) + ' ' + std::string(what);
}

}  // namespace

std::string error_answer(int status, std::string_view sentence, Body body) {
  std::string out = "HTTP/1.1 " + std::to_string(status) + ' ';
  out.append(reason_phrase(status));
  out.append("\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ");
  out.append(std::to_string(sentence.size())).append("\r\nConnection: close\r\n\r\n");
  if (body == Body::with) out.append(sentence);
  return out;
}

std::string malformed_answer(std::string_view cause, Body body) {
  return error_answer(400, "agentrun: the request is malformed: " + std::string(cause), body);
}

std::string head_timeout_answer(Body body) {
  return error_answer(408, "agentrun: the request head did not arrive in time", body);
}

std::string length_required_answer(Body body) {
  return error_answer(411, "agentrun: Transfer-Encoding is not supported, send the body with a Content-Length", body);
}

std::string head_too_large_answer(Body body) {
  return error_answer(431, "agentrun: the request head is larger than 65536 bytes", body);
}

std::string refused_answer(const Target& target, DenyReason reason, Body body) {
  return error_answer(403, about(target, "is not allowed (" + std::string(to_string(reason)) + ')'), body);
}

std::string failed_answer(const Target& target, std::string_view cause, Body body) {
  return error_answer(502, about(target, cause), body);
}

std::string connection_failed(int error) {
  return "connection failed (" + std::generic_category().message(error) + ')';
}

std::string upstream_connection_failed(int error) { return "upstream proxy " + connection_failed(error); }

std::string upstream_not_resolved() {
  return "upstream proxy connection failed (" + std::string(::gai_strerror(EAI_NONAME)) + ')';
}

std::string upstream_answered(int status) { return "upstream proxy answered " + std::to_string(status); }

std::string_view no_answer(Hop hop) noexcept {
  return hop == Hop::upstream ? upstream_closed : "closed the connection without an answer";
}

std::string_view invalid_answer(Hop hop) noexcept {
  return hop == Hop::upstream ? upstream_invalid : "answered an invalid response";
}

}  // namespace agentrun::proxy
