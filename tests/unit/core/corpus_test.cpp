// Replays what the fuzzers start from and what they have found.

#include "targets.hpp"
#include "temp_dir.hpp"

namespace agentrun {
namespace {

std::vector<std::filesystem::path> corpus(const std::string& target) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(AGENTRUN_CORPUS) / target)) {
    files.push_back(file.path());
  }
  return files;
}

void replay(const std::string& target, void (*run)(std::string_view)) {
  const auto files = corpus(target);
  ASSERT_FALSE(files.empty());
  for (const auto& file : files) {
    SCOPED_TRACE(file);
    run(testing::read_file(file));
  }
}

TEST(FuzzCorpus, OfUrlHostHolds) { replay("fuzz_url_host", fuzz::fuzz_url_host); }
TEST(FuzzCorpus, OfHostRuleHolds) { replay("fuzz_host_rule", fuzz::fuzz_host_rule); }
TEST(FuzzCorpus, OfEnvFileHolds) { replay("fuzz_env_file", fuzz::fuzz_env_file); }

}  // namespace
}  // namespace agentrun
