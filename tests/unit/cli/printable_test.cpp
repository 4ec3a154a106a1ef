#include "cli/printable.hpp"

#include <gtest/gtest.h>

namespace agentrun::cli {
namespace {

TEST(PrintableLine, KeepsOrdinaryText) {
  const std::string text = "naïve 日本語 👩‍💻 \xc2\xa0 ~";
  EXPECT_EQ(printable_line(text), text);
  EXPECT_EQ(printable_line(""), "");
}

TEST(PrintableLine, TakesTheTeethOutOfEscapeSequences) {
  EXPECT_EQ(printable_line("\x1b[2J\x1b]0;title\x07 a"), " [2J ]0;title  a");
  EXPECT_EQ(printable_line("a\r\n\tb\x7f"), "a   b ");
  EXPECT_EQ(printable_line(std::string_view("a\0b", 3)), "a b");
}

TEST(PrintableLine, KnowsControlsOfTheUpperHalf) {
  EXPECT_EQ(printable_line("\xc2\x9b"
                           "31m \xc2\x80 \xc2\x85 \xc2\x9f"),
            " 31m      ");
  // The bare byte is CSI on terminals of eight bits.
  EXPECT_EQ(printable_line("\x9b"
                           "31m"),
            "\xef\xbf\xbd"
            "31m");
}

TEST(PrintableLine, ShowsTextInTheOrderItHas) {
  EXPECT_EQ(printable_line("rm \xe2\x80\xae/ fr\xe2\x80\xac \xe2\x81\xa6x\xe2\x81\xa9"), "rm  / fr   x ");
  EXPECT_EQ(printable_line("\xe2\x80\xa8|\xe2\x80\xa9"), " | ");
  // The marks for right-to-left scripts only colour their neighbours.
  EXPECT_EQ(printable_line("\xe2\x80\x8f"), "\xe2\x80\x8f");
}

TEST(PrintableLine, MakesNoControlOutOfBrokenPieces) {
  for (const std::string text : {"\xc2", "\xe2\x80", "\xc2\x1b[2J", "\xe2\x1b\x80[2J", "\xf0\x9b\x1b"}) {
    for (const char byte : printable_line(text)) EXPECT_NE(byte, '\x1b');
  }
}

TEST(PrintableFirstLine, SkipsBlankLines) {
  EXPECT_EQ(printable_first_line("one\ntwo"), "one");
  EXPECT_EQ(printable_first_line("\n \r\n\t\n  two\r\nthree"), "  two");
  EXPECT_EQ(printable_first_line("a\rb"), "a");
  EXPECT_EQ(printable_first_line(""), "");
  EXPECT_EQ(printable_first_line(" \n\n"), "");
}

}  // namespace
}  // namespace agentrun::cli
