#include "run/error_watch.hpp"

#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

StartFailureRule rule() {
  StartFailureRule result;
  result.prefix = "bwrap: ";
  result.notices = {"bwrap: harmless"};
  return result;
}

TEST(ErrorWatch, FindsTheWrappersOwnLineOnlyWhenTheExitCodeIsNotZero) {
  ErrorWatch watch(rule());
  watch.feed("warming up\nbwrap: Cannot ");
  watch.feed("mount\nmore\n");
  EXPECT_EQ(watch.start_failure(1), "Cannot mount");
  EXPECT_EQ(watch.start_failure(0), std::nullopt);
  EXPECT_EQ(watch.start_failure(std::nullopt), std::nullopt);
}

TEST(ErrorWatch, TakesALastLineWithoutNewline) {
  ErrorWatch watch(rule());
  watch.feed("bwrap: execvp failed");
  EXPECT_EQ(watch.start_failure(1), "execvp failed");
}

TEST(ErrorWatch, LeavesOutNoticesAndLinesThatOnlyContainThePrefix) {
  ErrorWatch watch(rule());
  watch.feed("bwrap: harmless\nsaid bwrap: no\n");
  EXPECT_EQ(watch.start_failure(1), std::nullopt);
}

TEST(ErrorWatch, AsksForTheExitCodesOfTheRule) {
  StartFailureRule strict = rule();
  strict.exit_codes = {125};
  ErrorWatch watch(strict);
  watch.feed("bwrap: broken\n");
  EXPECT_EQ(watch.start_failure(1), std::nullopt);
  EXPECT_EQ(watch.start_failure(125), "broken");
}

TEST(ErrorWatch, HasNoFailureWithoutAWrapper) {
  ErrorWatch watch({});
  watch.feed("anything\n");
  EXPECT_EQ(watch.start_failure(1), std::nullopt);
}

TEST(ErrorWatch, KeepsTheLast500CharactersNotBytes) {
  ErrorWatch watch(rule());
  std::string text(100000, 'a');
  for (int count = 0; count < 600; ++count) text += "\xc3\xa9";
  watch.feed(text + "\n\n");
  std::string expected;
  for (int count = 0; count < 500; ++count) expected += "\xc3\xa9";
  EXPECT_EQ(watch.tail(), expected);
}

}  // namespace
}  // namespace agentrun::host
