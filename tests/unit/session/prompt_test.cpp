#include "session/prompt.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "scratch.hpp"
#include "system/file.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Scratch;

constexpr int no_wake = -1;

/// Standard input that would be noticed when it is read.
class StandardInput {
 public:
  explicit StandardInput(std::string_view content) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_ = Descriptor(ends[0]);
    const Descriptor write(ends[1]);
    if (write_all(write.get(), content) != 0) throw std::runtime_error("cannot write");
  }
  [[nodiscard]] int get() const { return read_.get(); }

 private:
  Descriptor read_;
};

void expect_refused(const Result<std::string>& prompt, const std::string& why) {
  ASSERT_FALSE(prompt);
  EXPECT_EQ(prompt.error().code, ErrorCode::usage);
  EXPECT_THAT(prompt.error().message, HasSubstr(why));
  EXPECT_FALSE(prompt.error().hint.empty());
}

TEST(Prompt, ComesFromTheOption) {
  EXPECT_EQ(read_prompt("do it", {}, StandardInput("other").get(), no_wake), "do it");
}

TEST(Prompt, ComesFromTheFile) {
  const Scratch scratch;
  EXPECT_EQ(read_prompt({}, scratch.file("p", "line\r\n\xff\n"), StandardInput("other").get(), no_wake),
            "line\r\n\xff\n");
}

TEST(Prompt, ComesFromStandardInputOtherwise) {
  EXPECT_EQ(read_prompt({}, {}, StandardInput("do it\n").get(), no_wake), "do it\n");
}

TEST(Prompt, MayBeWhiteSpace) { EXPECT_EQ(read_prompt(" ", {}, -1, no_wake), " "); }

TEST(Prompt, MayBeLarge) {
  const Scratch scratch;
  const std::string large(10 * 1024 * 1024, 'p');
  const auto prompt = read_prompt({}, scratch.file("p", large), -1, no_wake);
  ASSERT_TRUE(prompt);
  EXPECT_TRUE(*prompt == large);
}

TEST(Prompt, IsRefusedWhenGivenTwice) {
  const Scratch scratch;
  expect_refused(read_prompt("a", scratch.file("p", "b"), -1, no_wake), "both");
  expect_refused(read_prompt("", scratch / "none", -1, no_wake), "both");
}

TEST(Prompt, IsRefusedWhenEmptyWhateverItsSource) {
  const Scratch scratch;
  expect_refused(read_prompt("", {}, StandardInput("not read").get(), no_wake), "empty");
  expect_refused(read_prompt({}, scratch.file("p"), StandardInput("not read").get(), no_wake), "empty");
  expect_refused(read_prompt({}, "/dev/null", -1, no_wake), "empty");
  expect_refused(read_prompt({}, {}, StandardInput("").get(), no_wake), "empty");
}

TEST(Prompt, IsRefusedWithANulByteWithoutShowingIt) {
  const Scratch scratch;
  const std::string binary("secret\0word", 11);
  for (const auto& prompt : {read_prompt({}, scratch.file("p", binary), -1, no_wake),
                             read_prompt({}, {}, StandardInput(binary).get(), no_wake)}) {
    expect_refused(prompt, "NUL");
    EXPECT_THAT(describe(prompt.error()), Not(HasSubstr("secret")));
  }
}

TEST(Prompt, IsRefusedWhenItNeverEnds) { expect_refused(read_prompt({}, "/dev/zero", -1, no_wake), "larger than"); }

TEST(Prompt, NamesAFileThatCannotBeRead) {
  const Scratch scratch;
  for (const auto& file : {scratch / "none", scratch.path()}) {
    const auto prompt = read_prompt({}, file, StandardInput("not read").get(), no_wake);
    ASSERT_FALSE(prompt);
    EXPECT_THAT(prompt.error().message, HasSubstr("--prompt-file " + file.string()));
    EXPECT_FALSE(prompt.error().hint.empty());
  }
}

TEST(Prompt, IsRefusedAtOnceOnATerminal) {
  const Descriptor controller(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!controller.valid() || ::grantpt(controller.get()) != 0 || ::unlockpt(controller.get()) != 0) {
    GTEST_SKIP() << "no pseudo-terminals here";
  }
  std::array<char, 128> name{};
  ASSERT_EQ(::ptsname_r(controller.get(), name.data(), name.size()), 0);
  const Descriptor terminal(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(terminal.valid());
  expect_refused(read_prompt({}, {}, terminal.get(), no_wake), "terminal");
  const auto as_file = read_prompt({}, std::filesystem::path(name.data()), -1, no_wake);
  ASSERT_FALSE(as_file);
  EXPECT_THAT(as_file.error().message, HasSubstr("not a file"));
}

TEST(Prompt, StopsWaitingWhenWoken) {
  std::array<int, 2> silent{};
  ASSERT_EQ(::pipe2(silent.data(), O_CLOEXEC), 0);
  const Descriptor read(silent[0]);
  const Descriptor write(silent[1]);
  const StandardInput wake("!");
  const auto prompt = read_prompt({}, {}, read.get(), wake.get());
  ASSERT_FALSE(prompt);
  EXPECT_EQ(prompt.error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace agentrun::host
