#include "json/json_line.hpp"

#include <gtest/gtest.h>

namespace agentrun::json {
namespace {

TEST(RepairedJson, ReplacesLoneSurrogatesAndKeepsPairs) {
  EXPECT_EQ(repaired_json(R"("\ud83d\ude00")"), R"("\ud83d\ude00")");
  EXPECT_EQ(repaired_json(R"("\ud83d")"), R"("\ufffd")");
  EXPECT_EQ(repaired_json(R"("\uDE00x")"), R"("\ufffdx")");
  EXPECT_EQ(repaired_json(R"("\ud83d\u0041")"), R"("\ufffd\u0041")");
  EXPECT_EQ(repaired_json(R"("\ud83d\ud83d\ude00")"), R"("\ufffd\ud83d\ude00")");
  EXPECT_EQ(repaired_json(R"("\\ud83d")"), R"("\\ud83d")");
  EXPECT_EQ(repaired_json(R"("\ud8)"), R"("\ud8)");
  EXPECT_EQ(repaired_json("\"\\"), "\"\\");
}

TEST(RepairedJson, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(repaired_json("\"a\xFF\""), "\"a\xEF\xBF\xBD\""); }

TEST(RepairedJson, MarksIntegersThatDoNotFit64Bits) {
  EXPECT_EQ(repaired_json(R"([100000000000000000000,-5,"100000000000000000000",1.00000000000000000005])"),
            R"([100000000000000000000e0,-5,"100000000000000000000",1.00000000000000000005])");
}

}  // namespace
}  // namespace agentrun::json
