#include "cli/output_format.hpp"

#include <gtest/gtest.h>

#include "cli/jsonl_formatter.hpp"
#include "cli/text_formatter.hpp"

namespace agentrun::cli {
namespace {

TEST(OutputFormat, HasThreeNames) {
  EXPECT_EQ(parse_output_format("rich"), OutputFormat::rich);
  EXPECT_EQ(parse_output_format("text"), OutputFormat::text);
  EXPECT_EQ(parse_output_format("jsonl"), OutputFormat::jsonl);
  for (const char* other : {"", "json", "JSONL", "text ", "Text"}) EXPECT_EQ(parse_output_format(other), std::nullopt);
}

TEST(OutputFormat, IsForAPersonOnATerminalOnly) {
  EXPECT_EQ(usual_format(true), OutputFormat::rich);
  EXPECT_EQ(usual_format(false), OutputFormat::jsonl);
}

TEST(OutputFormat, MakesItsFormatter) {
  const auto is_text = [](OutputFormat format) {
    return dynamic_cast<TextFormatter*>(make_formatter(format).get()) != nullptr;
  };
  EXPECT_TRUE(is_text(OutputFormat::rich));
  EXPECT_TRUE(is_text(OutputFormat::text));
  EXPECT_FALSE(is_text(OutputFormat::jsonl));
}

TEST(FormatScan, FindsBothSpellings) {
  EXPECT_EQ(scan_output_format({"pi", "--format", "text", "--bogus"}), OutputFormat::text);
  EXPECT_EQ(scan_output_format({"pi", "--bogus", "--format=text"}), OutputFormat::text);
  EXPECT_EQ(scan_output_format({"--format=text"}), OutputFormat::text);
}

TEST(FormatScan, TakesTheLastThatIsValid) {
  EXPECT_EQ(scan_output_format({"pi", "--format", "text", "--format=jsonl"}), OutputFormat::jsonl);
  EXPECT_EQ(scan_output_format({"pi", "--format", "text", "--format", "xml"}), OutputFormat::text);
}

TEST(FormatScan, StopsAtTheDashes) {
  EXPECT_EQ(scan_output_format({"pi", "--", "--format", "text"}), std::nullopt);
  EXPECT_EQ(scan_output_format({"pi", "--format", "--", "text"}), std::nullopt);
  EXPECT_EQ(scan_output_format({"pi", "--format=text", "--", "--format=jsonl"}), OutputFormat::text);
}

TEST(FormatScan, FindsNothingInOtherWords) {
  EXPECT_EQ(scan_output_format({}), std::nullopt);
  EXPECT_EQ(scan_output_format({"--format"}), std::nullopt);
  EXPECT_EQ(scan_output_format({"--format="}), std::nullopt);
  EXPECT_EQ(scan_output_format({"--formatter", "text"}), std::nullopt);
  EXPECT_EQ(scan_output_format({"--format2=text"}), std::nullopt);
  EXPECT_EQ(scan_output_format({"text"}), std::nullopt);
}

}  // namespace
}  // namespace agentrun::cli
