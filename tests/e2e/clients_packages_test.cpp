// Package managers: they open many connections at once, and keep them open.

#include <gmock/gmock.h>

#include "clients_fixture.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;

class PackageManagers : public Clients {
 protected:
  void SetUp() override {
    Clients::SetUp();
    if (!IsSkipped()) make_packages();
  }
};

INSTANTIATE_TEST_SUITE_P(Backends, PackageManagers, ::testing::Values("bwrap", "landlock"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(PackageManagers, NpmInstalls) {
  AGENTRUN_NEEDS("npm");
  const Finished result =
      in_sandbox("npm install --no-audit --no-fund --no-update-notifier --registry " + secure_url() +
                 "/npm top >npm.txt 2>&1 || cat npm.txt; node -e \"console.log(require('top'), require('part11'))\"; "
                 "ls node_modules | wc -l");
  EXPECT_EQ(result.out, "top part11\n13\n") << result.err;
}

TEST_P(PackageManagers, NpmSaysThatARegistryIsRefused) {
  AGENTRUN_NEEDS("npm");
  const Finished result = in_sandbox(
      "npm install --no-audit --no-fund --no-update-notifier --fetch-retries 0 --registry http://registry.test/ top");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("403"));
}

TEST_P(PackageManagers, PipInstalls) {
  if (run(outside(stage_, "python3", {"-m", "pip", "--version"})).exit_code != 0 &&
      std::getenv("AGENTRUN_REQUIRE_ALL") == nullptr)
    GTEST_SKIP() << "there is no pip here";
  const Finished result = in_sandbox(
      "python3 -m pip install -q --no-input --disable-pip-version-check --no-cache-dir --target libs --index-url " +
      secure_url() +
      "/simple loopwheel >pip.txt 2>&1 || cat pip.txt; PYTHONPATH=libs python3 -c 'import loopwheel; "
      "print(loopwheel.name)'");
  EXPECT_EQ(result.out, "loopwheel\n") << result.err;
}

}  // namespace
}  // namespace agentrun::testing
