// What the shell in front of a proxied command is given.

#include "bwrap_fixture.hpp"
#include "socat_carrier.hpp"

namespace agentrun::bwrap {
namespace {

NetworkAccess proxied(std::filesystem::path socket) {
  return {.kind = NetworkAccess::Kind::proxied, .port = 8080, .proxy_socket = std::move(socket)};
}

Arguments before(const std::filesystem::path& socat, std::filesystem::path socket) {
  auto made = SocatCarrier(socat).before_command(proxied(std::move(socket)));
  if (!made) throw std::runtime_error(describe(made.error()));
  return *std::move(made);
}

TEST(SocatCarrier, GivesTheShellTheSameScriptWhateverThePathsAre) {
  const auto usual = before("/usr/bin/socat", "/tmp/agentrun-1/proxy.sock");
  const auto hostile = before("/opt/$(touch x)/socat", "/tmp/'; touch x; '\n\"`touch x`/proxy.sock");
  EXPECT_EQ(hostile[0], "/bin/sh");
  EXPECT_EQ(hostile[1], "-c");
  EXPECT_EQ(hostile[2], usual[2]);
  EXPECT_EQ(hostile[4], "/opt/$(touch x)/socat");
  EXPECT_EQ(hostile[5], "/tmp/'; touch x; '\n\"`touch x`");
}

TEST(SocatCarrier, KeepsTheSocketsDirectoryOutOfSocatsAddressLanguage) {
  const auto made = before("/usr/bin/socat", "/tmp/a,fork!!EXEC:id/proxy.sock");
  EXPECT_EQ(made[5], "/tmp/a,fork!!EXEC:id");
  EXPECT_EQ(made.back(), "UNIX-CONNECT:proxy.sock");
}

TEST(SocatCarrier, ListensOnTheLoopbackOnlyAndForMoreThanFiveAtATime) {
  const auto made = before("/usr/bin/socat", "/tmp/proxy.sock");
  EXPECT_EQ(made[6], "TCP4-LISTEN:8080,bind=127.0.0.1,fork,reuseaddr,backlog=4096,nodelay");
}

TEST(SocatCarrier, RefusesASocketNameWithMeaningToSocat) {
  for (const char* name : {"/tmp/a,b", "/tmp/a:b", "/tmp/a!!b", "/tmp/a b", "/tmp/a'b", "/tmp/a\nb", "/tmp/"}) {
    const auto made = SocatCarrier("/usr/bin/socat").before_command(proxied(name));
    ASSERT_FALSE(made) << name;
    EXPECT_FALSE(made.error().hint.empty());
  }
}

TEST(SocatCarrier, RefusesARelativeSocket) {
  EXPECT_FALSE(SocatCarrier("/usr/bin/socat").before_command(proxied("proxy.sock")));
}

}  // namespace
}  // namespace agentrun::bwrap
