#pragma once
// Programs that people use, through the filter proxy and out of the real sandbox, to a site on loopback. The site is
// "localhost": the one name that resolves everywhere.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "program.hpp"

namespace agentrun::testing {

inline const std::filesystem::path clients = AGENTRUN_CLIENTS_DIR;

/// A process of the test's own, outside of any sandbox, found in the PATH that the sandbox has too.
inline Invocation outside(const Stage& stage, const std::string& program, std::vector<std::string> args) {
  args.insert(args.begin(), program);
  Invocation call = stage.invocation(std::move(args));
  call.program = "/usr/bin/env";
  return call;
}

inline bool has(const Stage& stage, const std::string& program) {
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
    return stage_.run(command_line(script, std::move(options)));
  }

  [[nodiscard]] std::vector<std::string> command_line(const std::string& script,
                                                      std::vector<std::string> options = {}) const {
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
    for (const char* name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "PIP_CERT",
                             "npm_config_cafile"}) {
      args.insert(args.end(), {"--env", std::string(name) + "=" + certificate()});
    }
    args.insert(args.end(), {"--", "/bin/sh", "-c", script});
    return args;
  }

  /// Makes what a clone of secure_url() + "/repository.git" finds.
  void make_repository() const {
    const Finished made = run(outside(
        stage_, "/bin/sh",
        {"-ec",
         "git init -q source; cd source; echo content > file; git add file; git -c user.name=x -c "
         "user.email=x@a.test commit -qm first; git clone -q --bare . " +
             www() + "/repository.git; git -C " + www() + "/repository.git update-server-info; cd ..; rm -r source"}));
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  /// Makes a registry for npm and one for pip below the secure site.
  void make_packages() const {
    const Finished made =
        run(outside(stage_, "python3", {(clients / "make_packages.py").native(), www(), secure_url()}));
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }

  [[nodiscard]] std::filesystem::path events() const { return stage_.root() / "events.jsonl"; }

  Stage stage_;
  std::optional<Site> secure_;
  std::optional<Site> plain_;
};

#define AGENTRUN_NEEDS(program)                                                \
  if (!has(stage_, program) && std::getenv("AGENTRUN_REQUIRE_ALL") == nullptr) \
  GTEST_SKIP() << "there is no " program " here"

}  // namespace agentrun::testing
