// Replays what the fuzzers start from and what they have found.

#include <gtest/gtest.h>

#include "targets.hpp"
#include "temp_dir.hpp"

namespace agentrun {
namespace {

void replay(const std::string& target, void (*run)(std::string_view)) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(AGENTRUN_CORPUS) / target)) {
    SCOPED_TRACE(file.path());
    run(testing::read_file(file.path()));
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(ProxyFuzzCorpus, OfClientHelloHolds) { replay("fuzz_client_hello", fuzz::fuzz_client_hello); }
TEST(ProxyFuzzCorpus, OfRequestHeadHolds) { replay("fuzz_request_head", fuzz::fuzz_request_head); }
TEST(ProxyFuzzCorpus, OfResponseHeadHolds) { replay("fuzz_response_head", fuzz::fuzz_response_head); }
TEST(ProxyFuzzCorpus, OfSocksHolds) { replay("fuzz_socks", fuzz::fuzz_socks); }
TEST(ProxyFuzzCorpus, OfUpstreamAnswerHolds) { replay("fuzz_upstream_answer", fuzz::fuzz_upstream_answer); }
TEST(ProxyFuzzCorpus, OfUpstreamEnvironmentHolds) {
  replay("fuzz_upstream_environment", fuzz::fuzz_upstream_environment);
}

}  // namespace
}  // namespace agentrun
