// Everything at once, for as long as AGENTRUN_SOAK_SECONDS says (default: a few seconds).

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "clients_fixture.hpp"

namespace agentrun::testing {
namespace {

/// In KiB: what the process has for itself.
long own_memory(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stol(line.substr(8));
  }
  return -1;
}

long descriptors(pid_t pid) {
  long count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd"))
    ++count;
  return count;
}

class Soak : public Clients {
 protected:
  static std::string seconds() {
    const char* const value = std::getenv("AGENTRUN_SOAK_SECONDS");
    return value != nullptr ? value : "4";
  }
};

INSTANTIATE_TEST_SUITE_P(Backends, Soak, ::testing::Values("bwrap"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(Soak, NoClientFailsAndNothingIsLeftOfThem) {
  AGENTRUN_NEEDS("git");
  make_repository();
  make_packages();
  stage_.root().write("outside/www/much", std::string(8 << 20, 'x'));
  Program run(
      stage_.invocation(command_line("exec python3 " + (clients / "soak.py").native() + ' ' + seconds() + ' ' +
                                     secure_url() + ' ' + plain_url() + ' ' + certificate() + ' ' + clients.native())));
  ASSERT_TRUE(run.said("warm\n")) << run.output();
  const long memory_before = own_memory(run.pid());
  const long descriptors_before = descriptors(run.pid());
  ASSERT_GT(memory_before, 0);
  stage_.root().write("work/go", "");
  ASSERT_TRUE(run.said("rested\n", std::chrono::seconds(std::stol(seconds())) + patience)) << run.output();
  // Four pipes are kept for the next bulk transfers; the last connections may still be closing.
  constexpr long kept = 8;
  EXPECT_TRUE(eventually([&] { return descriptors(run.pid()) <= descriptors_before + kept; }))
      << descriptors(run.pid()) << " descriptors, before: " << descriptors_before;
  constexpr long leeway = 2048;
  EXPECT_LE(own_memory(run.pid()), memory_before + leeway) << "KiB";
  stage_.root().write("work/end", "");
  const Finished result = run.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  RecordProperty("runs", result.out);
  std::cout << result.out.substr(result.out.rfind("rested\n") + 7);
}

}  // namespace
}  // namespace agentrun::testing
