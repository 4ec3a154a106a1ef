#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agentrun/proxy/upstream.hpp"
#include "basic_authorization.hpp"

namespace agentrun::proxy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

UpstreamReading read(const std::vector<Variable>& variables) {
  Environment environment;
  for (const Variable& variable : variables) environment.set(variable.name, variable.value);
  return read_upstream(environment);
}

/// "HOST:PORT" or "none".
std::string name_of(const std::optional<UpstreamServer>& server) {
  return server ? server->host.text + ':' + std::to_string(server->port) : "none";
}

std::string tunnels_with(const std::string& value) { return name_of(read({{"https_proxy", value}}).upstream.tunnels); }

TEST(UpstreamEnvironment, IsNoneByDefault) {
  const UpstreamReading reading = read({{"PATH", "/bin"}, {"ftp_proxy", "http://p.test"}});
  EXPECT_EQ(name_of(reading.upstream.tunnels), "none");
  EXPECT_EQ(name_of(reading.upstream.plain), "none");
  EXPECT_THAT(reading.notes, IsEmpty());
}

TEST(UpstreamEnvironment, TakesTheFirstThatIsNotEmpty) {
  std::vector<Variable> variables;
  for (const char* name : {"ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"}) {
    variables.push_back({name, "http://" + std::string(name) + ".test"});
    const std::string expected = parse_host(std::string(name) + ".test").value().text + ":80";
    EXPECT_EQ(name_of(read(variables).upstream.tunnels), expected);
  }
  variables.resize(2);
  for (const char* name : {"HTTP_PROXY", "http_proxy"}) {
    variables.push_back({name, "http://" + std::string(name) + ".test"});
    const std::string expected = parse_host(std::string(name) + ".test").value().text + ":80";
    EXPECT_EQ(name_of(read(variables).upstream.plain), expected);
    EXPECT_EQ(name_of(read(variables).upstream.tunnels), "all_proxy.test:80") << "http_proxy is for plain HTTP alone";
  }
  EXPECT_EQ(name_of(read({{"https_proxy", ""}, {"HTTPS_PROXY", "a.test"}}).upstream.tunnels), "a.test:80");
  EXPECT_EQ(name_of(read({{"https_proxy", "a.test"}}).upstream.plain), "none");
}

TEST(UpstreamEnvironment, ReadsEachFormOfAProxy) {
  EXPECT_EQ(tunnels_with("http://p.test:3128"), "p.test:3128");
  EXPECT_EQ(tunnels_with("http://p.test"), "p.test:80");
  EXPECT_EQ(tunnels_with("http://p.test/"), "p.test:80");
  EXPECT_EQ(tunnels_with("HTTP://P.Test.:3128/path?q#f"), "p.test:3128");
  EXPECT_EQ(tunnels_with("p.test:3128"), "p.test:3128");
  EXPECT_EQ(tunnels_with("p.test"), "p.test:80");
  EXPECT_EQ(tunnels_with("localhost:3128"), "localhost:3128");
  EXPECT_EQ(tunnels_with("127.0.0.1:3128"), "127.0.0.1:3128");
  EXPECT_EQ(tunnels_with(" http://p.test "), "p.test:80");
  EXPECT_EQ(tunnels_with("user:password@p.test:3128"), "p.test:3128");
}

TEST(UpstreamEnvironment, DecodesUserAndPassword) {
  const auto authorization = [](const std::string& value) {
    return read({{"https_proxy", value}}).upstream.tunnels.value().authorization;
  };
  EXPECT_EQ(authorization("http://p.test"), "");
  EXPECT_EQ(authorization("http://@p.test"), "");
  EXPECT_EQ(authorization("http://user:password@p.test"), "Basic " + base64("user:password"));
  EXPECT_EQ(authorization("http://us%65r:p%40ss%3A%2F@p.test"), "Basic " + base64("user:p@ss:/"));
  EXPECT_EQ(authorization("http://user@p.test"), "Basic " + base64("user:"));
  EXPECT_EQ(authorization("user:p@ss@p.test:3128"), "Basic " + base64("user:p@ss"));
}

TEST(UpstreamEnvironment, AnotherSchemeCountsAsNoneAndIsNoted) {
  for (const char* scheme : {"https", "socks5", "socks5h", "socks4", "ftp", "HTTPS"}) {
    const UpstreamReading reading =
        read({{"https_proxy", std::string(scheme) + "://user:secret@p.test:1080"}, {"ALL_PROXY", "http://other.test"}});
    EXPECT_EQ(name_of(reading.upstream.tunnels), "none") << "the first that is not empty decides: " << scheme;
    EXPECT_EQ(name_of(reading.upstream.plain), "other.test:80");
    EXPECT_THAT(reading.notes,
                ElementsAre("https_proxy is not used, connections go direct: only http:// proxies are supported"));
  }
}

TEST(UpstreamEnvironment, AValueThatCannotBeReadCountsAsNoneAndIsNoted) {
  for (const char* value :
       {"http://", "http://:3128", "http://p.test:", "http://p.test:0", "http://p.test:70000", "http://p.test:+80",
        "http://[::1]:3128", "[::1]", "p test", "http://p..test", "http://127.1", "://p.test", "http://p\r\n.test", " ",
        "user:pass://word@p.test", "/p.test"}) {
    const UpstreamReading reading = read({{"HTTPS_PROXY", value}});
    EXPECT_EQ(name_of(reading.upstream.tunnels), "none") << value;
    ASSERT_EQ(reading.notes.size(), 1U) << value;
    EXPECT_THAT(reading.notes[0], StartsWith("HTTPS_PROXY is not used, connections go direct: "));
  }
}

TEST(UpstreamEnvironment, NotesAVariableOnceAndNeverItsValue) {
  const UpstreamReading both = read({{"all_proxy", "socks5h://user:secret@p.test:1080"}});
  ASSERT_EQ(both.notes.size(), 1U);
  for (const char* part : {"user", "secret", "p.test", "1080", "socks"})
    EXPECT_THAT(both.notes[0], Not(HasSubstr(part)));
  const UpstreamReading each = read({{"https_proxy", "https://a.test"}, {"HTTP_PROXY", "https://a.test"}});
  EXPECT_THAT(each.notes, ElementsAre(StartsWith("https_proxy "), StartsWith("HTTP_PROXY ")));
}

TEST(UpstreamEnvironment, ReadsNoProxyInLowerCaseFirst) {
  const HostName a{"a.test", HostForm::name};
  const HostName b{"b.test", HostForm::name};
  const auto direct = [](const std::vector<Variable>& variables) { return read(variables).upstream.direct; };
  EXPECT_TRUE(direct({{"no_proxy", "a.test"}}).contains(a, 443));
  EXPECT_TRUE(direct({{"NO_PROXY", "a.test"}}).contains(a, 443));
  EXPECT_FALSE(direct({{"no_proxy", "b.test"}, {"NO_PROXY", "a.test"}}).contains(a, 443));
  EXPECT_TRUE(direct({{"no_proxy", "b.test"}, {"NO_PROXY", "a.test"}}).contains(b, 443));
  EXPECT_TRUE(direct({{"no_proxy", ""}, {"NO_PROXY", "a.test"}}).contains(a, 443));
}

}  // namespace
}  // namespace agentrun::proxy
