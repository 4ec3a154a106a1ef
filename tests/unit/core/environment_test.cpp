#include "agentrun/environment.hpp"

namespace agentrun {
namespace {

using ::testing::ElementsAre;

TEST(Environment, ComesFromABlock) {
  const char* const block[] = {"B=2", "A=1=1", "EMPTY=", "=odd", "none", "", nullptr};
  const Environment environment = Environment::from_block(block);
  EXPECT_THAT(environment.to_block(), ElementsAre("A=1=1", "B=2", "EMPTY="));
}

TEST(Environment, TakesTheFirstOfTwoEntriesLikeGetenv) {
  const char* const block[] = {"A=first", "A=second", nullptr};
  EXPECT_EQ(Environment::from_block(block).get("A"), "first");
}

TEST(Environment, IsEmptyWithoutABlock) { EXPECT_TRUE(Environment::from_block(nullptr).variables().empty()); }

TEST(Environment, TellsUnsetFromEmpty) {
  Environment environment;
  EXPECT_EQ(environment.get("A"), std::nullopt);
  environment.set("A", "");
  EXPECT_EQ(environment.get("A"), "");
  EXPECT_EQ(environment.get_nonempty("A"), std::nullopt);
  environment.set("A", "1");
  EXPECT_EQ(environment.get_nonempty("A"), "1");
}

TEST(Environment, ReplacesAndErases) {
  Environment environment;
  environment.set("A", "1");
  environment.set("A", "2");
  EXPECT_EQ(environment.get("A"), "2");
  EXPECT_TRUE(environment.erase("A"));
  EXPECT_FALSE(environment.erase("A"));
  EXPECT_EQ(environment, Environment());
}

TEST(VariableName, StartsWithALetterOrUnderscore) {
  for (const std::string_view name : {"A", "_", "a1_B", "_9"}) EXPECT_TRUE(is_variable_name(name)) << name;
  for (const std::string_view name : {"", "1A", "A-B", "A B", "A=", "Ä", "A.B", " A"}) {
    EXPECT_FALSE(is_variable_name(name)) << name;
  }
  EXPECT_FALSE(is_variable_name(std::string_view("A\0", 2)));
}

}  // namespace
}  // namespace agentrun
