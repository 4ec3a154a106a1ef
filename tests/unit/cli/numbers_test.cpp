#include "cli/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace agentrun::cli {
namespace {

using std::chrono::milliseconds;

TEST(ShortDuration, HasTenthsBelowAMinute) {
  EXPECT_EQ(short_duration(milliseconds(0)), "0.0s");
  EXPECT_EQ(short_duration(milliseconds(49)), "0.0s");
  EXPECT_EQ(short_duration(milliseconds(50)), "0.1s");
  EXPECT_EQ(short_duration(milliseconds(12'400)), "12.4s");
  EXPECT_EQ(short_duration(milliseconds(31'349)), "31.3s");
  EXPECT_EQ(short_duration(milliseconds(59'949)), "59.9s");
}

TEST(ShortDuration, HasSecondsFromOneMinute) {
  EXPECT_EQ(short_duration(milliseconds(59'950)), "1m00s");
  EXPECT_EQ(short_duration(milliseconds(60'000)), "1m00s");
  EXPECT_EQ(short_duration(milliseconds(125'999)), "2m05s");
  EXPECT_EQ(short_duration(milliseconds(3'599'999)), "59m59s");
}

TEST(ShortDuration, HasMinutesFromOneHour) {
  EXPECT_EQ(short_duration(milliseconds(3'600'000)), "1h00m");
  EXPECT_EQ(short_duration(milliseconds(3'779'000)), "1h02m");
  EXPECT_EQ(short_duration(milliseconds(360'000'000)), "100h00m");
}

TEST(ShortDuration, SurvivesAbsurdValues) {
  EXPECT_EQ(short_duration(milliseconds(-5)), "0.0s");
  EXPECT_EQ(short_duration(milliseconds::max()), "2562047788015h12m");
}

TEST(ShortCount, IsAsItIsBelowAHundred) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(85), "85");
  EXPECT_EQ(short_count(99), "99");
}

TEST(ShortCount, IsInThousandsBelowAMillion) {
  EXPECT_EQ(short_count(100), "0.1k");
  EXPECT_EQ(short_count(149), "0.1k");
  EXPECT_EQ(short_count(150), "0.2k");
  EXPECT_EQ(short_count(900), "0.9k");
  EXPECT_EQ(short_count(999), "1.0k");
  EXPECT_EQ(short_count(3'100), "3.1k");
  EXPECT_EQ(short_count(65'300), "65.3k");
  EXPECT_EQ(short_count(999'949), "999.9k");
}

TEST(ShortCount, IsInMillionsAbove) {
  EXPECT_EQ(short_count(999'950), "1.0M");
  EXPECT_EQ(short_count(1'000'000), "1.0M");
  EXPECT_EQ(short_count(1'249'999), "1.2M");
  EXPECT_EQ(short_count(12'345'678'901), "12345.7M");
  EXPECT_EQ(short_count(std::numeric_limits<std::uint64_t>::max()), "18446744073709.6M");
}

TEST(TokenParts, AddUpTheKnownInput) {
  EXPECT_EQ(token_parts({.input = 100, .output = 85, .cache_read = 2'000, .cache_write = 1'000}), "  in 3.1k  out 85");
  EXPECT_EQ(token_parts({.input = {}, .output = 85, .cache_read = 2'000, .cache_write = {}}), "  in 2.0k  out 85");
}

TEST(TokenParts, LeaveOutWhatIsUnknown) {
  EXPECT_EQ(token_parts({}), "");
  EXPECT_EQ(token_parts({.input = {}, .output = 1, .cache_read = {}, .cache_write = {}}), "  out 1");
  EXPECT_EQ(token_parts({.input = 0, .output = {}, .cache_read = {}, .cache_write = {}}), "  in 0");
}

TEST(TokenParts, DoNotWrapAround) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(token_parts({.input = most, .output = {}, .cache_read = most, .cache_write = 5}), "  in 18446744073709.6M");
}

TEST(CachedPart, IsTheRoundedShareOfTheInput) {
  EXPECT_EQ(cached_part({.input = 36, .output = 5, .cache_read = 64, .cache_write = {}}), "  cached 64%");
  EXPECT_EQ(cached_part({.input = {}, .output = {}, .cache_read = 7, .cache_write = {}}), "  cached 100%");
  EXPECT_EQ(cached_part({.input = 9, .output = {}, .cache_read = 0, .cache_write = {}}), "  cached 0%");
  EXPECT_EQ(cached_part({.input = 199, .output = {}, .cache_read = 1, .cache_write = 0}), "  cached 1%");
  EXPECT_EQ(cached_part({.input = 2, .output = {}, .cache_read = 1, .cache_write = {}}), "  cached 33%");
}

TEST(CachedPart, IsLeftOutWhenItCannotBeTold) {
  EXPECT_EQ(cached_part({}), "");
  EXPECT_EQ(cached_part({.input = 5, .output = {}, .cache_read = {}, .cache_write = 5}), "");
  EXPECT_EQ(cached_part({.input = 0, .output = {}, .cache_read = 0, .cache_write = 0}), "");
}

}  // namespace
}  // namespace agentrun::cli
