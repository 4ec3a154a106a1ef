// What happens when descriptors run out: in a child process, because the limit is the whole process's.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

constexpr bool built_with_undefined_sanitizer =
    std::string_view(AGENTRUN_SANITIZERS).find("undefined") != std::string_view::npos;

void limit_descriptors(std::size_t count) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = count;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// The numbers in use have no gaps worth speaking of, so the next one is about the count.
std::size_t next_descriptor() {
  const int descriptor = ::dup(0);
  ::close(descriptor);
  return static_cast<std::size_t>(descriptor);
}

int fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

int run_out_while_connecting() {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer first = proxy.tunnel(origin.authority());
  Peer upstream = origin.accept();
  // One for the client's end, one for the proxy's end, none for the connection to the origin.
  limit_descriptors(next_descriptor() + 2);
  Peer second = proxy.connect();
  second.send(connect_request(origin.authority()));
  const std::string answer = second.receive_all().bytes;
  if (body_of(answer) != "agentrun: " + origin.authority() + " connection failed (Too many open files)")
    return fail(answer.c_str());
  first.send("x");
  if (upstream.receive(1).bytes != "x") return fail("the tunnel that stood has stopped");
  return 0;
}

int run_out_while_accepting() {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  Peer first = proxy.tunnel(origin.authority());
  Peer upstream = origin.accept();
  limit_descriptors(next_descriptor() + 1);
  Peer second = proxy.connect();
  second.send(connect_request("b.test:443"));
  if (!second.is_quiet(400)) return fail("there was a descriptor left");
  first.send("x");
  if (upstream.receive(1).bytes != "x") return fail("the tunnel that stood has stopped");
  limit_descriptors(next_descriptor() + 50);
  if (status_of(second.receive_all().bytes) != 403) return fail("the waiting client was forgotten");
  return 0;
}

/// Its exit code.
int in_child(int (*body)()) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int code = 1;
    try {
      code = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class OutOfDescriptors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (built_with_undefined_sanitizer)
      GTEST_SKIP()
          << "the undefined behaviour sanitizer opens a pipe to look at objects, and takes its failure for a bug";
  }
};

TEST_F(OutOfDescriptors, ConnectingIsRefusedAndTunnelsGoOn) { EXPECT_EQ(in_child(run_out_while_connecting), 0); }

TEST_F(OutOfDescriptors, AcceptingWaitsAndTunnelsGoOn) { EXPECT_EQ(in_child(run_out_while_accepting), 0); }

}  // namespace
}  // namespace agentrun::proxy::test
