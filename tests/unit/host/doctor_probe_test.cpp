// What doctor asks inside the sandbox and how it reads the answer; the program that answers is called as it is.

#include "doctor/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agentrun/host/doctor.hpp"
#include "temp_dir.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStdout;

std::string answer_to(std::vector<std::string> arguments) {
  EXPECT_EQ(arguments.front(), probe_argument);
  arguments.erase(arguments.begin());
  CaptureStdout();
  EXPECT_EQ(run_probe(arguments), 0);
  return GetCapturedStdout();
}

TEST(DoctorProbe, TellsWhatItCouldDoWithoutASandbox) {
  const testing::TempDir directory;
  directory.make("empty");
  const FileQuestions questions{directory / "inside",
                                directory / "outside",
                                {directory / "missing", directory.write("file", "x"), directory / "empty",
                                 directory.write("full/file", "").parent_path(), directory.write("nothing", "")}};
  const FileAnswers answers = read_answers(questions, answer_to(arguments_of(questions)));
  EXPECT_TRUE(answers.ran);
  EXPECT_EQ(answers.inside, "ok");
  EXPECT_TRUE(answers.outside);
  EXPECT_THAT(answers.read, ElementsAre(directory / "file", directory / "full"));
}

TEST(DoctorProbe, SaysWhyItCannotWrite) {
  const FileQuestions questions{"/nonexistent/inside", "/nonexistent/outside", {}};
  const FileAnswers answers = read_answers(questions, answer_to(arguments_of(questions)));
  EXPECT_EQ(answers.inside, "No such file or directory");
  EXPECT_FALSE(answers.outside);
}

TEST(DoctorProbe, IsNotBelievedWhenItSaysNothingOfUse) {
  const FileQuestions questions{"/i", "/o", {"/a"}};
  for (const char* output : {"", "bwrap: no\n", "Ran\n", "inside", "read 7\n", "read x\n", "read\n"}) {
    const FileAnswers answers = read_answers(questions, output);
    EXPECT_FALSE(answers.ran) << output;
    EXPECT_EQ(answers.inside, "") << output;
    EXPECT_TRUE(answers.read.empty()) << output;
  }
}

TEST(DoctorProbe, GivesOneAnswerForEachHost) {
  const auto answers = read_connect_answers(3, "200 \n403 agentrun: x.test:443 is not allowed (not_allowed)\n");
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0].status, 200);
  EXPECT_EQ(answers[1].status, 403);
  EXPECT_EQ(answers[1].text, "agentrun: x.test:443 is not allowed (not_allowed)");
  EXPECT_EQ(answers[2].status, 0);
  EXPECT_THAT(connect_arguments({{"x.test", 443}}), ElementsAre(probe_argument, "connect", "x.test", "443"));
}

TEST(DoctorProbe, RefusesQuestionsThatItDoesNotKnow) {
  EXPECT_EQ(run_probe({}), 64);
  EXPECT_EQ(run_probe({"files", "/only-one"}), 64);
  EXPECT_EQ(run_probe({"resolve"}), 64);
}

}  // namespace
}  // namespace agentrun::host
