#include "cli/argument_parser.hpp"

#include <gmock/gmock.h>

namespace agentrun::cli {
namespace {

using ::testing::ElementsAre;

class ArgumentParserTest : public ::testing::Test {
 protected:
  ArgumentParserTest() {
    parser_.group("Things");
    parser_.flag("--flag", "a flag", [this] { ++flags_; });
    parser_.option("--value", "V", "a value", [this](std::string_view, const std::string& value) -> Result<void> {
      if (value == "bad") return failure(ErrorCode::usage, "bad value");
      values_.push_back(value);
      return {};
    });
  }

  ArgumentParser parser_{{.usage = "x", .about = "y", .epilogue = "z", .positional = "no words"}};
  int flags_ = 0;
  std::vector<std::string> values_;
};

TEST_F(ArgumentParserTest, GivesValuesToTheSetterInOrder) {
  ASSERT_TRUE(parser_.parse({"--value", "2", "--flag", "--value=1", "--value", "", "--value=", "--flag"}));
  EXPECT_THAT(values_, ElementsAre("2", "1", "", ""));
  EXPECT_EQ(flags_, 1);
}

TEST_F(ArgumentParserTest, LeavesValuesAlone) {
  ASSERT_TRUE(parser_.parse({"--value", "[a,b]", "--value", "'q'", "--value", "%%", "--value", "++", "--value", "-1"}));
  EXPECT_THAT(values_, ElementsAre("[a,b]", "'q'", "%%", "++", "-1"));
}

TEST_F(ArgumentParserTest, ReportsTheFirstErrorOfASetter) {
  const auto outcome = parser_.parse({"--value", "good", "--value", "bad"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "bad value");
}

TEST_F(ArgumentParserTest, AcceptsNothing) {
  const auto outcome = parser_.parse({});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(*outcome, ArgumentParser::Outcome::parsed);
}

TEST_F(ArgumentParserTest, ShowsGroupsPlaceholdersAndTexts) {
  EXPECT_EQ(parser_.help(),
            "y\n"
            "\n"
            "Usage: x\n"
            "\n"
            "Things:\n"
            "  --flag                    a flag\n"
            "  --value V                 a value\n"
            "\n"
            "z\n");
}

}  // namespace
}  // namespace agentrun::cli
