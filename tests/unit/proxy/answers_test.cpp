#include "answers.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace agentrun::proxy {
namespace {

const Target target{{"a.test", HostForm::name}, 443};

TEST(Answers, SayWhyAHostIsRefused) {
  EXPECT_EQ(refused_answer(target, DenyReason::private_address, Body::with),
            "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 53\r\n"
            "Connection: close\r\n\r\nagentrun: a.test:443 is not allowed (private_address)");
}

TEST(Answers, SayWhyAConnectionFailed) {
  EXPECT_EQ(failed_answer(target, connection_failed(ECONNREFUSED), Body::with),
            "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 59\r\n"
            "Connection: close\r\n\r\nagentrun: a.test:443 connection failed (Connection refused)");
}

TEST(Answers, KeepTheLengthButNoBodyForHead) {
  const std::string with = failed_answer(target, not_resolved, Body::with);
  const std::string without = failed_answer(target, not_resolved, Body::without);
  EXPECT_EQ(with, without + "agentrun: a.test:443 could not be resolved");
}

TEST(Answers, HaveTheirStatus) {
  EXPECT_TRUE(malformed_answer("why", Body::with).starts_with("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_TRUE(head_timeout_answer(Body::with).starts_with("HTTP/1.1 408 Request Timeout\r\n"));
  EXPECT_TRUE(length_required_answer(Body::with).starts_with("HTTP/1.1 411 Length Required\r\n"));
  EXPECT_TRUE(head_too_large_answer(Body::with).starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
}

}  // namespace
}  // namespace agentrun::proxy
