#include "doctor/version.hpp"

#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

TEST(DoctorVersion, IsFoundInWhatTheAgentsPrint) {
  EXPECT_EQ(find_version("2.1.332 (Claude Code)\n"), "2.1.332");
  EXPECT_EQ(find_version("codex-cli 0.171.0\n"), "0.171.0");
  EXPECT_EQ(find_version("1.6.0\n"), "1.6.0");
  EXPECT_EQ(find_version("0.1.0-rc.8\n"), "0.1.0-rc.8");
  EXPECT_EQ(find_version("dsh v0.1.0-rc.8, node v22.23.3"), "0.1.0-rc.8");
  EXPECT_EQ(find_version("agent 7 version 1.2."), "1.2");
  EXPECT_EQ(find_version("1.2.3-"), "1.2.3");
}

TEST(DoctorVersion, IsNotJustAnyNumber) {
  for (const char* text : {"", "no version", "42", "1..2", "...", "v", "7."}) EXPECT_FALSE(find_version(text)) << text;
}

TEST(DoctorVersion, IsComparedNumberByNumber) {
  EXPECT_TRUE(older("1.0.0", "1.0.1"));
  EXPECT_TRUE(older("1.9.0", "1.10.0"));
  EXPECT_TRUE(older("0.159.1", "0.159.2"));
  EXPECT_FALSE(older("1.0.1", "1.0.1"));
  EXPECT_FALSE(older("2.0.0", "1.99.99"));
  EXPECT_FALSE(older("1.2", "1.2.0"));
  EXPECT_FALSE(older("1.2.0", "1.2"));
  EXPECT_TRUE(older("1.2", "1.2.1"));
  EXPECT_FALSE(older("1.02.0", "1.2.0"));
  EXPECT_TRUE(older("1.99999999999999999998.0", "1.99999999999999999999.0"));
}

TEST(DoctorVersion, OfACandidateComesBeforeTheRelease) {
  EXPECT_TRUE(older("0.1.0-rc.8", "0.1.0"));
  EXPECT_FALSE(older("0.1.0", "0.1.0-rc.8"));
  EXPECT_TRUE(older("0.1.0-rc.7", "0.1.0-rc.8"));
  EXPECT_FALSE(older("0.1.0-rc.10", "0.1.0-rc.8"));
  EXPECT_FALSE(older("0.1.0-rc.8", "0.1.0-rc.8"));
  EXPECT_TRUE(older("1.0.0-alpha", "1.0.0-alpha.1"));
  EXPECT_TRUE(older("1.0.0-1", "1.0.0-alpha")) << "numbers come before words";
  EXPECT_TRUE(older("1.0.0-alpha", "1.0.0-beta"));
  EXPECT_FALSE(older("1.0.1-alpha", "1.0.0"));
}

}  // namespace
}  // namespace agentrun::host
