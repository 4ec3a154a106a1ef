#include "process/line_splitter.hpp"

#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

class LineSplitterTest : public ::testing::Test {
 protected:
  void feed(std::string_view bytes) {
    splitter_.feed(bytes, [this](std::string_view line) { lines_.emplace_back(line); });
  }
  void finish() {
    splitter_.finish([this](std::string_view line) { lines_.emplace_back(line); });
  }
  LineSplitter splitter_{64};
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

TEST_F(LineSplitterTest, JoinsPiecesAndLeavesOutEmptyLines) {
  feed("on");
  feed("e\ntwo\n\nthr");
  feed("ee");
  EXPECT_EQ(lines_, (Lines{"one", "two"}));
  finish();
  EXPECT_EQ(lines_, (Lines{"one", "two", "three"}));
}

TEST_F(LineSplitterTest, KeepsNulBytesAndCarriageReturns) {
  feed(std::string_view("a\0b\r\n", 5));
  EXPECT_EQ(lines_, (Lines{std::string("a\0b\r", 4)}));
}

TEST_F(LineSplitterTest, HasReadableBytesBehindEachLine) {
  splitter_.feed(std::string(70000, 'x') + "\n", [](std::string_view line) {
    unsigned sum = 0;
    for (std::size_t index = 0; index < 64; ++index)
      sum += static_cast<unsigned char>(line.data()[line.size() + index]);
    EXPECT_GE(sum, 0U);  // under the address sanitizer a read behind the buffer ends the test
    EXPECT_EQ(line.size(), 70000U);
  });
}

TEST_F(LineSplitterTest, LeavesOutALineThatIsTooLongAndGoesOn) {
  const std::string block(std::size_t{1} << 20, 'x');
  for (std::size_t fed = 0; fed <= LineSplitter::line_limit; fed += block.size()) feed(block);
  feed("tail\nnext\n");
  EXPECT_EQ(lines_, (Lines{"next"}));
  EXPECT_EQ(splitter_.skipped(), 1U);
}

}  // namespace
}  // namespace agentrun::host
