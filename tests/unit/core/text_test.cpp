#include "agentrun/text.hpp"
#include "repeated.hpp"

namespace agentrun {
namespace {

constexpr const char* bad = "\xEF\xBF\xBD";

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(Utf8, KeepsWhatIsGood) {
  for (const std::string_view text :
       {"", "plain", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
        "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a long run of ASCII and then \xE6\x95\x8F, twice \xE6\x95\x8F"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(to_utf8(text), text);
  }
  EXPECT_EQ(to_utf8(std::string_view("a\0b", 3)), std::string("a\0b", 3));
}

TEST(Utf8, ReplacesEachMaximalBadSequence) {
  const std::string r = bad;
  const std::pair<std::string_view, std::string> cases[] = {
      {"\x80", r},
      {"\xBF\xBF", r + r},
      {"\xC0\x80", r + r},          // overlong NUL
      {"\xC1\xBF", r + r},          // overlong
      {"\xE0\x80\xAF", r + r + r},  // overlong '/'
      {"\xE0\x9F\xBF", r + r + r},  // overlong
      {"\xF0\x8F\xBF\xBF", r + r + r + r},
      {"\xED\xA0\x80", r + r + r},          // surrogate
      {"\xED\xBF\xBF", r + r + r},          // surrogate
      {"\xF4\x90\x80\x80", r + r + r + r},  // beyond U+10FFFF
      {"\xF5\x80", r + r},
      {"\xFF", r},
      {"\xE2\x82", r},  // cut off
      {"\xE2\x82z", r + "z"},
      {"\xF0\x9F\x98", r},
      {"\xF0\x9F\x98\xF0\x9F\x98\x80", r + "\xF0\x9F\x98\x80"},
      {"\xC3", r},
      {"\xC3\xC3\xA4", r + "\xC3\xA4"},
      {"12345678\xFF"
       "abcdefgh",
       "12345678" + r + "abcdefgh"},
  };
  for (const auto& [bytes, expected] : cases) {
    EXPECT_FALSE(is_utf8(bytes)) << expected;
    EXPECT_EQ(to_utf8(bytes), expected);
    EXPECT_EQ(json(bytes), '"' + expected + '"');
  }
}

TEST(Utf8, FindsABadByteAtEveryOffset) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\xFF';
    EXPECT_FALSE(is_utf8(text)) << at;
    std::string expected(40, 'x');
    EXPECT_EQ(to_utf8(text), expected.replace(at, 1, bad)) << at;
  }
}

TEST(FirstLine, EndsAtTheFirstLineBreak) {
  EXPECT_EQ(first_line("one\ntwo"), "one");
  EXPECT_EQ(first_line("one\r\ntwo"), "one");
  EXPECT_EQ(first_line("\none"), "");
  EXPECT_EQ(first_line("one"), "one");
}

TEST(SummaryLine, KeepsWhatFits) {
  EXPECT_EQ(summary_line("make test"), "make test");
  EXPECT_EQ(summary_line(""), "");
  EXPECT_EQ(summary_line(testing::repeated(120, 'a')), testing::repeated(120, 'a'));
}

TEST(SummaryLine, EndsInAnEllipsisWhenCut) {
  EXPECT_EQ(summary_line(testing::repeated(121, 'a')), testing::repeated(119, 'a') + "…");
  EXPECT_EQ(summary_line("abcdef", 4), "abc…");
  EXPECT_EQ(summary_line("abc", 1), "…");
  EXPECT_EQ(summary_line("a", 1), "a");
  EXPECT_EQ(summary_line("abc", 0), "");
}

TEST(SummaryLine, CountsCodePoints) {
  EXPECT_EQ(summary_line("äöü", 3), "äöü");
  EXPECT_EQ(summary_line("äöüß", 3), "äö…");
  EXPECT_EQ(summary_line("\xFF\xFF\xFF", 2), std::string(bad) + "…");
}

TEST(SummaryLine, MakesControlCharactersSpaces) {
  EXPECT_EQ(summary_line("a\nb\r\nc\td\x1b[31m\x7f"), "a b  c d [31m ");
  EXPECT_EQ(summary_line("a\xC2\x9B"
                         "31m"),
            "a 31m");  // C1: CSI in one character
  EXPECT_EQ(summary_line("a\xC2\xA0z"), "a\xC2\xA0z");
  EXPECT_EQ(summary_line(std::string_view("a\0b", 3)), "a b");
}

TEST(FirstCharacters, CountsCodePoints) {
  EXPECT_EQ(first_characters("abc", 2), "ab");
  EXPECT_EQ(first_characters("abc", 500), "abc");
  EXPECT_EQ(first_characters("abc", 0), "");
  EXPECT_EQ(first_characters("", 5), "");
  EXPECT_EQ(first_characters("äöx", 2), "äö");
  EXPECT_EQ(first_characters("\x80\x80\x80", 2), "\x80\x80");
}

TEST(LastCharacters, CountsCodePoints) {
  EXPECT_EQ(last_characters("abc", 2), "bc");
  EXPECT_EQ(last_characters("abc", 3), "abc");
  EXPECT_EQ(last_characters("abc", 500), "abc");
  EXPECT_EQ(last_characters("abc", 0), "");
  EXPECT_EQ(last_characters("", 5), "");
  EXPECT_EQ(last_characters("xäö", 2), "äö");
  EXPECT_EQ(last_characters("x\xF0\x9F\x98\x80", 1), "\xF0\x9F\x98\x80");
}

TEST(LastCharacters, CountsBadBytesOneByOne) {
  EXPECT_EQ(last_characters("ab\xFF", 2), "b\xFF");
  EXPECT_EQ(last_characters(testing::repeated(1000, '\x80'), 500).size(), 500U);
  EXPECT_EQ(last_characters("a\xE2\x82", 2), "\xE2\x82");
  EXPECT_EQ(last_characters("\xC3\xA4\x80", 2), "\xC3\xA4\x80");
}

TEST(ShellQuote, LeavesPlainWordsAlone) {
  for (const std::string word : {"abc", "/usr/bin/x", "--opt=value", "a_b-c.d:e,f@g%h+i"}) {
    EXPECT_EQ(shell_quote(word), word);
  }
}

TEST(ShellQuote, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_quote("~"), "'~'");
  EXPECT_EQ(shell_quote("a\nb"), "'a\nb'");
  EXPECT_EQ(shell_quote("ä"), "'ä'");
}

TEST(ShellQuote, JoinsArguments) {
  EXPECT_EQ(shell_quote(std::vector<std::string>{"bwrap", "--ro-bind", "/", "", "a b", "A=b"}),
            "bwrap --ro-bind / '' 'a b' A=b");
  EXPECT_EQ(shell_quote(std::vector<std::string>{}), "");
}

TEST(ShellQuote, DoesNotMakeAnAssignmentOfACommand) {
  EXPECT_EQ(shell_quote(std::vector<std::string>{"A=b", "A=b"}), "'A=b' A=b");
}

TEST(ShellQuote, SurvivesAShell) {
  const std::vector<std::string> words = {"printf", "%s|", "it's", "$HOME `id` \"x\"", "*", "a\\b", "!x", ""};
  FILE* const pipe = popen(shell_quote(words).c_str(), "r");  // NOLINT(cert-env33-c): a shell is what is tested
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) output += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(output, "it's|$HOME `id` \"x\"|*|a\\b|!x||");
}

TEST(JsonString, EscapesOnlyWhatItMust) {
  EXPECT_EQ(json(""), "\"\"");
  EXPECT_EQ(json("a \"b\" \\ /"), "\"a \\\"b\\\" \\\\ /\"");
  EXPECT_EQ(json("\n\r\t"), "\"\\n\\r\\t\"");
  EXPECT_EQ(json("\b\f\x01\x1f\x7f"), "\"\\u0008\\u000c\\u0001\\u001f\x7f\"");
  EXPECT_EQ(json(std::string_view("a\0b", 3)), "\"a\\u0000b\"");
  EXPECT_EQ(json("敏捷 ä 😀"), "\"敏捷 ä 😀\"");
}

TEST(JsonString, EscapesAtEveryOffset) {
  for (const char c : {'"', '\\', '\n', '\x1f', '\0'}) {
    for (std::size_t at = 0; at < 40; ++at) {
      std::string text(40, ' ');
      text[at] = c;
      const std::string escaped = json(std::string_view(&c, 1));
      std::string expected(40, ' ');
      expected.replace(at, 1, escaped.substr(1, escaped.size() - 2));
      EXPECT_EQ(json(text), '"' + expected + '"') << at;
    }
  }
}

TEST(JsonString, Appends) {
  std::string out = "x";
  append_json_string(out, "a");
  EXPECT_EQ(out, "x\"a\"");
}

}  // namespace
}  // namespace agentrun
