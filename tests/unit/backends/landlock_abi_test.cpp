// What each ABI of Landlock keeps, and that what it is said to lack is really lacking.

#include <unistd.h>

#include "landlock_fixture.hpp"

namespace agentrun::landlock {
namespace {

class LandlockAbi : public Sandboxed, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    const Kernel kernel = this_kernel();
    if (GetParam() > kernel.abi) GTEST_SKIP() << "this kernel's Landlock is older";
    check({GetParam(), 0, kernel.supervises});
  }
  /// "done" exactly when the backend says that it lacks something.
  void follows(const std::string& phrase, const std::vector<std::string>& arguments) const {
    const bool done = attack(arguments) == "done\n";
    EXPECT_EQ(done, lacks(phrase)) << phrase;
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, LandlockAbi, ::testing::Range(1, 8));

TEST_P(LandlockAbi, KeepsFilesAndConnections) {
  const auto file = testing::write_file(outside / "file", "before");
  EXPECT_EQ(attack({"write", file}), "Permission denied\n");
  EXPECT_EQ(attack({"mode", "chmod", file}), "Permission denied\n");
  EXPECT_EQ(attack({"write-at", outside, "new"}), "Permission denied\n");
  EXPECT_EQ(attack({"listen"}), "Permission denied\n");
  EXPECT_EQ(attack({"socket", "2", "2", "0"}), "Protocol not supported\n");
  EXPECT_EQ(attack({"memory", std::to_string(::getpid())}), "Operation not permitted\n");
  EXPECT_EQ(testing::read_file(file), "before");
  EXPECT_EQ(shell("echo x > file && mkdir d && mv file other && rm other && rmdir d && echo good").out, "good\n");
}

TEST_P(LandlockAbi, LacksWhatItSays) {
  follows("can truncate files outside", {"truncate", testing::write_file(outside / "file", "before")});
  follows("can signal processes outside", {"kill", std::to_string(::getpid())});
  const auto moved = shell("echo x > file && mkdir d && ln file d/file && echo good");
  EXPECT_EQ(moved.out != "good\n", lacks("cannot move files between directories")) << moved.err;
}

}  // namespace
}  // namespace agentrun::landlock
