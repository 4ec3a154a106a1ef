#include "cli/doctor_report.hpp"

#include <gtest/gtest.h>

#include "fake_console.hpp"

namespace agentrun::cli {
namespace {

using Status = host::CheckResult::Status;

TEST(DoctorReport, AlignsItsColumnsFromTheFirstLineOn) {
  FakeConsole console;
  const auto report = make_doctor_report(false, console);
  report->begin({"pi", "claude-code"});
  report->add({"pi", "login", Status::ok, "fine"});
  EXPECT_EQ(console.output, "[ok]    pi           login       fine\n") << "at once";
  report->add({"claude-code", "executable", Status::skipped, ""});
  EXPECT_TRUE(report->finish());
  EXPECT_EQ(console.output,
            "[ok]    pi           login       fine\n"
            "[skip]  claude-code  executable\n");
}

TEST(DoctorReport, IsOneJsonArrayAtTheEnd) {
  FakeConsole console;
  const auto report = make_doctor_report(true, console);
  report->begin({"pi"});
  report->add({"pi", "login", Status::ok, "\"a\"\n"});
  report->add({"pi", "sandbox", Status::failed, ""});
  EXPECT_EQ(console.output, "");
  EXPECT_TRUE(report->finish());
  EXPECT_EQ(console.output, R"([{"runtime":"pi","check":"login","status":"ok","detail":"\"a\"\n"},)"
                            R"({"runtime":"pi","check":"sandbox","status":"fail","detail":""}])"
                            "\n");
}

TEST(DoctorReport, IsAnEmptyArrayWhenASignalCameBeforeTheFirstResult) {
  FakeConsole console;
  const auto report = make_doctor_report(true, console);
  report->begin({"pi"});
  EXPECT_TRUE(report->finish());
  EXPECT_EQ(console.output, "[]\n");
}

TEST(DoctorReport, IsNothingWhenNoCheckBegan) {
  for (const bool json : {false, true}) {
    FakeConsole console;
    EXPECT_TRUE(make_doctor_report(json, console)->finish());
    EXPECT_EQ(console.output, "");
  }
}

TEST(DoctorReport, KeepsTheTerminalSafeFromWhatProgramsSay) {
  FakeConsole console;
  const auto report = make_doctor_report(false, console);
  report->begin({"pi"});
  report->add({"pi", "login", Status::failed, "a\x1b[2J\nb"});
  EXPECT_EQ(console.output, "[fail]  pi  login       a [2J b\n");
}

}  // namespace
}  // namespace agentrun::cli
