#include "doctor/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;

TEST(DoctorOrder, BeginsWithTheKnownOnesAndGoesOnByName) {
  EXPECT_THAT(usual_order({"zed", "dsh", "demo", "pi", "codex", "claude-code", "pi"}),
              ElementsAre("claude-code", "codex", "pi", "dsh", "demo", "zed"));
}

TEST(DoctorOrder, OfTheUserIsKept) { EXPECT_THAT(without_repeats({"pi", "codex", "pi"}), ElementsAre("pi", "codex")); }

}  // namespace
}  // namespace agentrun::host
