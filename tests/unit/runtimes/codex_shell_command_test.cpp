#include "codex/shell_command.hpp"

#include <gtest/gtest.h>

#include "codex/patch.hpp"

namespace agentrun::codex {
namespace {

TEST(CodexShellCommand, IsTheScriptWithoutTheShellAroundIt) {
  EXPECT_EQ(first_script_line("/bin/bash -c 'make test'"), "make test");
  EXPECT_EQ(first_script_line("bash -lc 'make test'"), "make test");
  EXPECT_EQ(first_script_line("/usr/bin/zsh -lc make"), "make");
  EXPECT_EQ(first_script_line(R"(/bin/bash -c 'it'\''s')"), "it's");
  EXPECT_EQ(first_script_line(R"(/bin/bash -c "it's \"here\" \$HOME \n")"), R"(it's "here" $HOME \n)");
  EXPECT_EQ(first_script_line("/bin/bash -c ''"), "");
}

TEST(CodexShellCommand, IsItsFirstLine) {
  EXPECT_EQ(first_script_line("/bin/bash -c 'first\nsecond'"), "first");
  EXPECT_EQ(first_script_line("first\nsecond"), "first");
}

TEST(CodexShellCommand, IsTheWholeCommandInAnyOtherForm) {
  for (const char* command : {"make -c x", "/bin/bash script.sh", "bash", "/bin/bash -x -c 'id'", "", "-c 'id'"}) {
    EXPECT_EQ(first_script_line(command), command);
  }
}

TEST(CodexShellCommand, IsNotReadToTheEndOfALongScript) {
  const std::string script(10'000'000, 'x');
  EXPECT_LE(first_script_line("/bin/bash -c '" + script + "'").size(), 2048U);
  EXPECT_LE(first_script_line(script).size(), 2048U);
}

TEST(CodexPatch, NamesTheFilesItTouches) {
  EXPECT_EQ(patched_files("*** Begin Patch\n*** Add File: a b\n+*** Add File: no\n*** Update File: c\r\n"
                          "*** Move to: d\n@@\n-x\n*** Delete File: e\n*** End Patch"),
            "a b, c, d, e");
  EXPECT_EQ(patched_files(""), "");
  EXPECT_EQ(patched_files("no patch"), "");
}

TEST(CodexPatch, NamesNoMoreThanASummaryShows) {
  std::string patch;
  for (int i = 0; i < 100'000; ++i) patch += "*** Add File: " + std::to_string(i) + "\n";
  EXPECT_LE(patched_files(patch).size(), 2048U);
  EXPECT_LE(patched_files("*** Add File: " + std::string(1'000'000, 'x')).size(), 2048U);
}

}  // namespace
}  // namespace agentrun::codex
