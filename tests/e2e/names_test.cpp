// What a name server can answer. A network of the test's own has one; the resolver is the system's.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "program.hpp"

namespace agentrun::testing {
namespace {

class Names : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr) return;
    Invocation call = stage_.invocation({"unshare", "--net", "--mount", "true"});
    call.program = "/usr/bin/env";
    if (run(call).exit_code != 0) GTEST_SKIP() << "this user can make no network with a name server of its own";
  }

  Finished exec(const std::string& script) {
    Invocation call = stage_.invocation({"unshare",
                                         "--net",
                                         "--mount",
                                         "python3",
                                         AGENTRUN_CLIENTS_DIR "/dns.py",
                                         stage_.outside().native(),
                                         AGENTRUN_EXECUTABLE,
                                         "exec",
                                         "--network",
                                         "custom",
                                         "--allow-host",
                                         "*.wild.test",
                                         "--allow-host",
                                         "exact.test",
                                         "--events",
                                         (stage_.root() / "events.jsonl").native(),
                                         "--",
                                         "/bin/sh",
                                         "-c",
                                         script});
    call.program = "/usr/bin/env";
    return run(call);
  }

  /// "HOST allowed" or "HOST REASON", of each network event.
  [[nodiscard]] std::vector<std::string> events() const {
    Finished stream;
    stream.out = read_file(stage_.root() / "events.jsonl");
    std::vector<std::string> told;
    for (const auto& event : stream.events("network")) {
      const std::string verdict =
          event.at("allowed").as_bool() ? "allowed" : std::string(event.at("reason").as_string());
      told.push_back(std::string(event.at("host").as_string()) + ' ' + verdict);
    }
    return told;
  }

  Stage stage_;
};

constexpr const char* refused = " is not allowed (private_address)";

TEST_F(Names, OfAnExactRuleMayBePrivate) {
  const Finished result = exec("curl -sS http://exact.test/");
  EXPECT_EQ(result.out, "hello\n") << result.err;
}

TEST_F(Names, ThatAreAnAliasOfAPrivateOneAreRefused) {
  const Finished result = exec("curl -sS http://alias.wild.test/");
  EXPECT_EQ(result.out, std::string("agentrun: alias.wild.test:80") + refused) << result.err;
  EXPECT_THAT(events(), ::testing::ElementsAre("alias.wild.test private_address"));
}

TEST_F(Names, WithOnePrivateAddressAmongPublicOnesAreRefused) {
  const Finished result = exec("curl -sS http://mixed.wild.test/");
  EXPECT_EQ(result.out, std::string("agentrun: mixed.wild.test:80") + refused) << result.err;
}

/// DNS rebinding: the first answer is what was checked, and only that is connected to.
TEST_F(Names, ThatTurnPrivateAreRefusedTheSecondTimeAndNeverReached) {
  const Finished result = exec("curl -sS http://turns.wild.test/; echo; curl -sS http://turns.wild.test/");
  EXPECT_THAT(result.out, ::testing::StartsWith("agentrun: turns.wild.test:80 connection failed (")) << result.err;
  EXPECT_THAT(result.out, ::testing::EndsWith(std::string("agentrun: turns.wild.test:80") + refused));
  EXPECT_THAT(events(), ::testing::ElementsAre("turns.wild.test allowed", "turns.wild.test private_address"));
}

TEST_F(Names, ThatHangDelayNoOther) {
  const Finished result = exec(
      "curl -s -m 30 -o hung http://hangs.wild.test/ & hanging=$!; for i in 1 2 3 4 5; do curl -sS "
      "http://exact.test/; done; kill -0 $hanging && echo still hanging; kill $hanging");
  EXPECT_EQ(result.out, "hello\nhello\nhello\nhello\nhello\nstill hanging\n") << result.err;
}

TEST_F(Names, ThatDoNotExistAreSaidToBeUnresolved) {
  const Finished result = exec("curl -sS http://nowhere.wild.test/");
  EXPECT_EQ(result.out, "agentrun: nowhere.wild.test:80 could not be resolved") << result.err;
}

}  // namespace
}  // namespace agentrun::testing
