// Programs that people use, through the filter proxy and out of the real sandbox, to a site on loopback. The site is
// "localhost": the one name that resolves everywhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path clients = AGENTRUN_CLIENTS_DIR;

/// A process of the test's own, outside of any sandbox, found in the PATH that the sandbox has too.
Invocation outside(const Stage& stage, const std::string& program, std::vector<std::string> args) {
  args.insert(args.begin(), program);
  Invocation call = stage.invocation(std::move(args));
  call.program = "/usr/bin/env";
  return call;
}

bool has(const Stage& stage, const std::string& program) {
  return run(outside(stage, "/bin/sh", {"-c", "command -v " + program})).exit_code == 0;
}

/// The site's process and port.
class Site {
 public:
  Site(const Stage& stage, std::vector<std::string> args) : process_(outside(stage, "python3", std::move(args))) {
    if (!process_.said("\n")) throw std::runtime_error("the site does not start");
    port_ = process_.output().substr(0, process_.output().find('\n'));
  }
  [[nodiscard]] const std::string& port() const noexcept { return port_; }

 private:
  Program process_;
  std::string port_;
};

/// With each backend.
class Clients : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    for (const char* program : {"python3", "openssl"}) {
      if (!has(stage_, program)) GTEST_SKIP() << "there is no " << program << " to make the site with";
    }
    const Finished made = run(outside(stage_, "openssl",
                                      {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                                       "-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                                       "-days", "1", "-keyout", key(), "-out", certificate()}));
    ASSERT_EQ(made.exit_code, 0) << made.err;
    stage_.root().write("outside/www/hello.txt", "hello\n");
    secure_.emplace(stage_, std::vector<std::string>{(clients / "site.py").native(), www(), certificate(), key()});
    plain_.emplace(stage_, std::vector<std::string>{(clients / "site.py").native(), www()});
  }

  [[nodiscard]] std::string www() const { return (stage_.outside() / "www").native(); }
  [[nodiscard]] std::string certificate() const { return (stage_.outside() / "certificate.pem").native(); }
  [[nodiscard]] std::string key() const { return (stage_.outside() / "key.pem").native(); }
  [[nodiscard]] std::string secure_url() const { return "https://localhost:" + secure_->port(); }
  [[nodiscard]] std::string plain_url() const { return "http://localhost:" + plain_->port(); }

  /// In the sandbox, with both sites allowed.
  Finished in_sandbox(const std::string& script, std::vector<std::string> options = {}) {
    std::vector<std::string> args{"exec",
                                  "--backend",
                                  GetParam(),
                                  "--network",
                                  "custom",
                                  "--allow-host",
                                  "localhost:" + secure_->port(),
                                  "--allow-host",
                                  "localhost:" + plain_->port(),
                                  "--events",
                                  events().native()};
    args.insert(args.end(), options.begin(), options.end());
    // Each knows the certificate by another name.
    for (const char* name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS"}) {
      args.insert(args.end(), {"--env", std::string(name) + "=" + certificate()});
    }
    args.insert(args.end(), {"--", "/bin/sh", "-c", script});
    return stage_.run(args);
  }

  [[nodiscard]] std::filesystem::path events() const { return stage_.root() / "events.jsonl"; }

  Stage stage_;
  std::optional<Site> secure_;
  std::optional<Site> plain_;
};

#define AGENTRUN_NEEDS(program) \
  if (!has(stage_, program)) GTEST_SKIP() << "there is no " program " here"

INSTANTIATE_TEST_SUITE_P(Backends, Clients, ::testing::Values("bwrap", "landlock"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(Clients, CurlGoesThroughConnectPlainHttpAndSocks) {
  AGENTRUN_NEEDS("curl");
  const Finished result = in_sandbox("set -e; curl -sS " + secure_url() + "/hello.txt; curl -sS " + plain_url() +
                                     "/hello.txt; curl -sS -d posted " + plain_url() +
                                     "/; echo; curl -sS --proxy socks5h://127.0.0.1:${HTTP_PROXY##*:} " + secure_url() +
                                     "/hello.txt; curl -sS --proxytunnel " + plain_url() + "/hello.txt");
  EXPECT_EQ(result.out, "hello\nhello\nposted\nhello\nhello\n") << result.err;
  EXPECT_EQ(result.exit_code, 0);
}

TEST_P(Clients, CurlSaysThatAHostIsRefused) {
  AGENTRUN_NEEDS("curl");
  const Finished result = in_sandbox(
      "curl -sS https://refused.test/; curl -sS http://refused.test/; curl -sS --proxy "
      "socks5h://127.0.0.1:${HTTP_PROXY##*:} https://refused.test/");
  EXPECT_EQ(result.out, "agentrun: refused.test:80 is not allowed (not_allowed)");
  EXPECT_THAT(result.err, HasSubstr("403"));
  EXPECT_THAT(result.err, HasSubstr("(2)")) << "the reply code of SOCKS5";
}

TEST_P(Clients, WgetFetches) {
  AGENTRUN_NEEDS("wget");
  const Finished result = in_sandbox("wget -q -O- --ca-certificate=" + certificate() + " " + secure_url() +
                                     "/hello.txt && wget -q -O- " + plain_url() + "/hello.txt");
  EXPECT_EQ(result.out, "hello\nhello\n") << result.err;
}

TEST_P(Clients, GitClones) {
  AGENTRUN_NEEDS("git");
  const std::string repository = www() + "/repository.git";
  const Finished made =
      run(outside(stage_, "/bin/sh",
                  {"-ec",
                   "git init -q source; cd source; echo content > file; git add file; git -c user.name=x -c "
                   "user.email=x@a.test commit -qm first; git clone -q --bare . " +
                       repository + "; git -C " + repository + " update-server-info; cd ..; rm -r source"}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Finished result = in_sandbox("git clone -q " + secure_url() + "/repository.git copy && cat copy/file");
  EXPECT_EQ(result.out, "content\n") << result.err;
}

TEST_P(Clients, PythonFetches) {
  const Finished result =
      in_sandbox("python3 " + (clients / "fetch.py").native() + " " + secure_url() + "/hello.txt && python3 " +
                 (clients / "fetch.py").native() + " " + plain_url() + "/hello.txt");
  EXPECT_EQ(result.out, "200 hello\n200 hello\n") << result.err;
}

TEST_P(Clients, NodeTunnelsAPageAndAWebSocket) {
  AGENTRUN_NEEDS("node");
  const std::string script = "node " + (clients / "tunnel.js").native() + " localhost " + secure_->port();
  for (const char* check : {"off", "strict"}) {
    const Finished result = in_sandbox(script, {"--check-sni", check});
    EXPECT_EQ(result.out, "200 hello\n101 frame\n") << result.err;
  }
}

TEST_P(Clients, ThatAskForEverNewHostsAreToldOfUpToABound) {
  const Finished result = in_sandbox("python3 " + (clients / "many_hosts.py").native() + " 4200");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Finished stream;
  stream.out = read_file(events());
  EXPECT_EQ(stream.events("network").size(), 4096U);
  ASSERT_EQ(stream.events("note").size(), 1U);
  EXPECT_EQ(stream.events("note")[0].at("text"),
            "network events: more than 4096 refused hosts and ports; further ones are not told");
}

TEST_P(Clients, AreStoppedWhenTheyNameAnotherHostInsideATunnel) {
  AGENTRUN_NEEDS("curl");
  const std::string port = secure_->port();
  const std::string fronting =
      "curl -sSk --connect-to other.test:" + port + ":localhost:" + port + " https://other.test:" + port + "/hello.txt";
  EXPECT_EQ(in_sandbox(fronting).out, "hello\n") << "that is what the check is for";
  const std::string honest = "curl -sS " + secure_url() + "/hello.txt";
  const Finished result = in_sandbox(fronting + "; " + honest, {"--check-sni", "lenient"});
  EXPECT_EQ(result.out, "hello\n");
  EXPECT_THAT(result.err, HasSubstr("unrecognized name"));
  Finished stream;
  stream.out = read_file(events());
  const auto network = stream.events("network");
  ASSERT_EQ(network.size(), 2U);
  EXPECT_EQ(network[0].at("allowed"), true);
  EXPECT_EQ(network[1].at("reason"), "sni_mismatch");
  EXPECT_EQ(network[1].at("host"), "localhost");
}

}  // namespace
}  // namespace agentrun::testing
