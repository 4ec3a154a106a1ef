// agentrun's policy in the words of codex. The real program reads them in tests/real.

#include "codex/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codex/toml.hpp"
#include "temp_dir.hpp"

namespace agentrun::codex {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = NetworkAccess::Kind;
using testing::TempDir;

NetworkPolicy custom(const std::vector<std::string>& rules) {
  std::vector<HostRule> parsed;
  for (const std::string& rule : rules) parsed.push_back(parse_host_rule(rule).value());
  return NetworkPolicy::make(NetworkMode::custom, std::move(parsed), {}).value();
}

class CodexProfile : public ::testing::Test {
 protected:
  [[nodiscard]] PolicyBuilder builder() const {
    PolicyBuilder builder(root_.make("work"));
    builder.writable(root_.make("session"));
    return builder;
  }
  [[nodiscard]] static std::vector<std::string> arguments(const PolicyBuilder& builder, Kind network = Kind::cut) {
    return profile_arguments(builder.build().value(), network).value();
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

  TempDir root_;
};

TEST_F(CodexProfile, LetsReadAllAndWriteTheTwoDirectories) {
  EXPECT_THAT(arguments(builder()),
              ElementsAre("-c", "default_permissions=agentrun", "-c",
                          R"(permissions.agentrun.filesystem={":root"="read", ":workspace_roots"={"."="write"}, ")" +
                              path("session") + R"("="write"})",
                          "-c", "project_root_markers=[]", "-c",
                          "projects={\"" + path("work") + R"("={trust_level="untrusted"}})", "-c",
                          "permissions.agentrun.network.enabled=false"));
}

TEST_F(CodexProfile, HidesPathsByTheirRealNames) {
  root_.make("secret");
  std::filesystem::create_directory_symlink(root_ / "secret", root_ / "link");
  PolicyBuilder policy = builder();
  policy.deny_read((root_ / "link").native(), "/").deny_read((root_ / "missing").native(), "/");
  EXPECT_THAT(arguments(policy)[3], HasSubstr(R"(, ")" + path("secret") + R"("="deny"})"));
  EXPECT_THAT(arguments(policy)[3], Not(HasSubstr("missing")));
}

TEST_F(CodexProfile, QuotesPaths) {
  root_.make("a\"b\\c\nd");
  PolicyBuilder policy = builder();
  policy.deny_read((root_ / "a\"b\\c\nd").native(), "/");
  EXPECT_THAT(arguments(policy)[3], HasSubstr(R"(a\"b\\c\u000Ad"="deny")"));
}

TEST_F(CodexProfile, RefusesAPathThatCodexWouldTakeForAPattern) {
  for (const char* name : {"a[1]", "a*", "a?"}) {
    root_.make(name);
    PolicyBuilder policy = builder();
    policy.deny_read((root_ / name).native(), "/");
    const auto refused = profile_arguments(policy.build().value(), Kind::cut);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
    EXPECT_THAT(refused.error().message, HasSubstr(path(name)));
  }
}

TEST_F(CodexProfile, TakesAnyWorkingDirectory) {
  PolicyBuilder policy(root_.make("w[1]*"));
  policy.writable(root_.make("session"));
  EXPECT_TRUE(profile_arguments(policy.build().value(), Kind::cut));
}

TEST_F(CodexProfile, RefusesAPathThatIsNotUtf8) {
  root_.make("a\xFF");
  PolicyBuilder policy = builder();
  policy.deny_read((root_ / "a\xFF").native(), "/");
  EXPECT_FALSE(profile_arguments(policy.build().value(), Kind::cut));
}

TEST_F(CodexProfile, RefusesAnEmptyTmp) {
  PolicyBuilder policy = builder();
  policy.private_tmp(true);
  EXPECT_THAT(profile_arguments(policy.build().value(), Kind::cut).error().message, HasSubstr("/tmp"));
}

TEST_F(CodexProfile, OpensTheNetworkWithTheFullOneOnly) {
  PolicyBuilder policy = builder();
  policy.network(NetworkPolicy::make(NetworkMode::full, {}, {}).value());
  EXPECT_EQ(arguments(policy, Kind::open).back(), "permissions.agentrun.network.enabled=true");
  EXPECT_EQ(arguments(policy, Kind::cut).back(), "permissions.agentrun.network.enabled=false");
}

TEST_F(CodexProfile, ListsHostsOnceAndWithoutPorts) {
  PolicyBuilder policy = builder();
  policy.network(custom({"b.test:8080", "a.test", "*.c.test", "b.test:9090", "8.8.4.4"}));
  const auto arguments = CodexProfile::arguments(policy, Kind::proxied);
  EXPECT_THAT(arguments, Contains("--enable"));
  EXPECT_EQ(arguments.back(),
            R"(permissions.agentrun.network={enabled=true, enable_socks5=false, enable_socks5_udp=false, )"
            R"(allow_upstream_proxy=true, domains={"*.c.test"="allow", "8.8.4.4"="allow", "a.test"="allow", )"
            R"("b.test"="allow"}})");
}

TEST_F(CodexProfile, LeavesOutWhatCodexWouldReachPastTheFilter) {
  PolicyBuilder policy = builder();
  policy.network(custom({"127.0.0.1:8080", "10.1.2.3", "192.168.0.1", "198.51.100.7", "239.0.0.1", "localhost:80",
                         "x.localhost", "a.test"}));
  EXPECT_THAT(arguments(policy, Kind::proxied).back(), HasSubstr(R"(domains={"a.test"="allow"}})"));
}

TEST(CodexToml, WritesBasicStrings) {
  EXPECT_EQ(toml_string(""), "\"\"");
  EXPECT_EQ(toml_string("a b/ä"), "\"a b/ä\"");
  EXPECT_EQ(toml_string("\"\\"), R"("\"\\")");
  EXPECT_EQ(toml_string(std::string("\0\x1F\x7F\t", 4)), R"("\u0000\u001F\u007F\u0009")");
}

}  // namespace
}  // namespace agentrun::codex
