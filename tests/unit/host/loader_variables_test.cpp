#include "run/loader_variables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

Result<void> check(const char* name, const char* value) {
  Environment environment;
  environment.set(name, value);
  return check_loader_variables(environment, "/work/dir", {"/work/dir"});
}

TEST(LoaderVariables, AreRefusedWhenTheyLeadIntoTheWorkingDirectory) {
  for (const char* value : {"/work/dir/x.so", "x.so", "./lib", "/usr/lib/a.so:/work/dir/b.so", "/usr/lib/a.so x.so",
                            "/usr/lib:", ":/usr/lib", "/usr/../work/dir"}) {
    const auto result = check("LD_PRELOAD", value);
    ASSERT_FALSE(result) << value;
    EXPECT_EQ(result.error().code, ErrorCode::untrusted);
    EXPECT_THAT(describe(result.error()), ::testing::HasSubstr("LD_PRELOAD"));
    EXPECT_THAT(describe(result.error()), ::testing::Not(::testing::HasSubstr("x.so")));
  }
}

TEST(LoaderVariables, ArePassedOnWhenTheyLeadElsewhere) {
  EXPECT_TRUE(check("LD_PRELOAD", "/usr/lib/libjemalloc.so.2"));
  EXPECT_TRUE(check("LD_LIBRARY_PATH", "/opt/lib:/usr/lib"));
  EXPECT_TRUE(check("LD_PRELOAD", ""));
  EXPECT_TRUE(check("LD_BIND_NOW", "1"));
  EXPECT_TRUE(check("OTHER", "/work/dir"));
}

}  // namespace
}  // namespace agentrun::host
