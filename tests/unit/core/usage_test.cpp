#include "agentrun/usage.hpp"

#include <limits>

namespace agentrun {
namespace {

TEST(TokenCounts, AddWhatIsKnown) {
  TokenCounts counts{1, std::nullopt, std::nullopt, 4};
  counts += TokenCounts{10, 20, std::nullopt, std::nullopt};
  EXPECT_EQ(counts, (TokenCounts{11, 20, std::nullopt, 4}));
}

TEST(TokenCounts, TellZeroFromUnknown) {
  TokenCounts counts;
  counts += TokenCounts{0, std::nullopt, std::nullopt, std::nullopt};
  EXPECT_EQ(counts.input, 0U);
  EXPECT_EQ(counts.output, std::nullopt);
}

TEST(TokenCounts, DoNotWrapAround) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  TokenCounts counts{most - 1, 0, 0, 0};
  counts += TokenCounts{5, most, most, most};
  EXPECT_EQ(counts, (TokenCounts{most, most, most, most}));
  EXPECT_EQ(counts.context(), most);
}

TEST(TokenCounts, HaveAContextOnlyWhenAllOfItIsKnown) {
  EXPECT_EQ((TokenCounts{1, 99, 2, 4}).context(), 7U);
  EXPECT_EQ((TokenCounts{1, std::nullopt, 2, 4}).context(), 7U);
  EXPECT_EQ((TokenCounts{std::nullopt, 1, 2, 4}).context(), std::nullopt);
  EXPECT_EQ((TokenCounts{1, 1, std::nullopt, 4}).context(), std::nullopt);
  EXPECT_EQ((TokenCounts{1, 1, 2, std::nullopt}).context(), std::nullopt);
}

TEST(UsageTotals, SumByModel) {
  UsageTotals totals;
  totals.add("a", {1, 2, std::nullopt, std::nullopt});
  totals.add("b", {10, std::nullopt, 5, std::nullopt});
  totals.add("a", {100, 200, std::nullopt, std::nullopt});
  EXPECT_EQ(totals.total, (TokenCounts{111, 202, 5, std::nullopt}));
  EXPECT_EQ(totals.by_model.at("a"), (TokenCounts{101, 202, std::nullopt, std::nullopt}));
  EXPECT_EQ(totals.by_model.at("b"), (TokenCounts{10, std::nullopt, 5, std::nullopt}));
}

TEST(UsageTotals, CallAModelWithoutANameUnknown) {
  UsageTotals totals;
  totals.add("", {1, 1, 1, 1});
  EXPECT_EQ(totals.by_model.count("unknown"), 1U);
}

TEST(UsageTotals, StayEmptyWhenNothingIsKnown) {
  UsageTotals totals;
  totals.add("a", {});
  EXPECT_EQ(totals, UsageTotals());
}

}  // namespace
}  // namespace agentrun
