#include "agentrun/env_file.hpp"

namespace agentrun {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<Variable> variables(std::string_view content) { return parse_env_file(content, "f").value(); }

std::string refusal(std::string_view content) {
  const auto parsed = parse_env_file(content, "dir/my.env");
  if (parsed) return "(accepted)";
  EXPECT_EQ(parsed.error().code, ErrorCode::usage);
  EXPECT_FALSE(parsed.error().hint.empty());
  return describe(parsed.error());
}

TEST(EnvFile, HoldsAVariableALine) {
  EXPECT_THAT(variables("A=1\nB=two words\nA=3"),
              ElementsAre(Variable{"A", "1"}, Variable{"B", "two words"}, Variable{"A", "3"}));
}

TEST(EnvFile, MayBeEmpty) {
  EXPECT_THAT(variables(""), IsEmpty());
  EXPECT_THAT(variables("\n\n"), IsEmpty());
}

TEST(EnvFile, LeavesOutCommentsAndBlankLines) {
  EXPECT_THAT(variables("# a comment = with equals\n\n \t \nA=1\n  # indented\n#"), ElementsAre(Variable{"A", "1"}));
}

TEST(EnvFile, DropsOneTrailingCarriageReturn) {
  EXPECT_THAT(variables("A=1\r\nB=\r\n\r\nC=3\r"),
              ElementsAre(Variable{"A", "1"}, Variable{"B", ""}, Variable{"C", "3"}));
  EXPECT_THAT(variables("A=1\r\r\n"), ElementsAre(Variable{"A", "1\r"}));
}

TEST(EnvFile, AllowsExportInFront) {
  EXPECT_THAT(variables("export A=1\nexport=2"), ElementsAre(Variable{"A", "1"}, Variable{"export", "2"}));
}

TEST(EnvFile, RemovesOnePairOfMatchingQuotes) {
  EXPECT_THAT(variables("A=\"x y\"\nB='x'\nC=\"\"\nD=''\"\nE=\"'x'\"\nF=\"\nG=\"a'\nH=a\"b\""),
              ElementsAre(Variable{"A", "x y"}, Variable{"B", "x"}, Variable{"C", ""}, Variable{"D", "''\""},
                          Variable{"E", "'x'"}, Variable{"F", "\""}, Variable{"G", "\"a'"}, Variable{"H", "a\"b\""}));
}

TEST(EnvFile, UnescapesAndExpandsNothing) {
  EXPECT_THAT(variables("A=\"a\\n\\\"b\"\nB=$HOME ${X} `id`\nC=a#b # c"),
              ElementsAre(Variable{"A", "a\\n\\\"b"}, Variable{"B", "$HOME ${X} `id`"}, Variable{"C", "a#b # c"}));
}

TEST(EnvFile, TakesEverythingBehindTheFirstEqualsSign) {
  EXPECT_THAT(variables("A=b=c=\nB=x \n"), ElementsAre(Variable{"A", "b=c="}, Variable{"B", "x "}));
}

TEST(EnvFile, RefusesABadLineByItsNumber) {
  EXPECT_THAT(refusal("A=1\n\n# x\nnonsense\n"), StartsWith("dir/my.env:4: "));
  EXPECT_THAT(refusal("nonsense"), StartsWith("dir/my.env:1: "));
}

TEST(EnvFile, HasAReasonForEachMistake) {
  EXPECT_THAT(refusal("A"), HasSubstr("no '='"));
  EXPECT_THAT(refusal("A =1"), HasSubstr("white space"));
  EXPECT_THAT(refusal("A= 1"), HasSubstr("white space"));
  EXPECT_THAT(refusal("A=\t"), HasSubstr("white space"));
  EXPECT_THAT(refusal("=1"), HasSubstr("the name"));
  EXPECT_THAT(refusal("1A=1"), HasSubstr("the name"));
  EXPECT_THAT(refusal(" A=1"), HasSubstr("the name"));
  EXPECT_THAT(refusal("A-B=1"), HasSubstr("the name"));
  EXPECT_THAT(refusal("export  A=1"), HasSubstr("the name"));
  EXPECT_THAT(refusal("\xEF\xBB\xBF"
                      "A=1"),
              HasSubstr("the name"));
  EXPECT_THAT(refusal(std::string_view("A=a\0b", 5)), HasSubstr("NUL"));
}

TEST(EnvFile, RefusesWhatIsNotUtf8) {
  EXPECT_THAT(refusal("A=1\nB=\xFF\n"), AllOf(StartsWith("dir/my.env:2: "), HasSubstr("UTF-8")));
  EXPECT_THAT(refusal("A=1\n# \xC0\x80\n"), AllOf(StartsWith("dir/my.env:2: "), HasSubstr("UTF-8")));
  EXPECT_THAT(variables("A=\xC3\xA4"), ElementsAre(Variable{"A", "\xC3\xA4"}));
}

TEST(EnvFile, NeverShowsTheLine) {
  for (const std::string_view content : {"s3cret", "s3cret =1", "A= s3cret", "s3cret-x=1", "A=s3cret\xFF"}) {
    EXPECT_THAT(refusal(content), Not(HasSubstr("s3cret"))) << content;
  }
  EXPECT_THAT(refusal(std::string_view("A=s3cret\0", 9)), Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace agentrun
