#include "doctor/network_targets.hpp"

#include <gtest/gtest.h>

namespace agentrun::host {
namespace {

NetworkPolicy custom(const std::vector<std::string>& rules) {
  std::vector<HostRule> parsed;
  for (const std::string& rule : rules) parsed.push_back(*parse_host_rule(rule));
  return *NetworkPolicy::make(NetworkMode::custom, parsed, {});
}

std::string shown(const std::optional<Target>& target) { return target ? to_string(*target) : "none"; }

TEST(DoctorNetworkTargets, UnderCustomAreTheFirstRulesHostAndANameThatNobodyHas) {
  for (const auto& [rule, host] :
       std::vector<std::pair<std::string, std::string>>{{"files.test", "files.test:443"},
                                                        {"files.test:8443", "files.test:8443"},
                                                        {"*.files.test", "www.files.test:443"},
                                                        {"127.0.0.1:8080", "127.0.0.1:8080"}}) {
    const auto targets = network_targets(custom({rule, "other.test"}), "model.test", true);
    EXPECT_EQ(shown(targets.allowed), host);
    EXPECT_EQ(shown(targets.refused), "doctor-check.invalid:443");
    EXPECT_EQ(targets.reason, DenyReason::not_allowed);
  }
}

TEST(DoctorNetworkTargets, DoNotExpectARefusalOfWhatARuleAllows) {
  EXPECT_EQ(shown(network_targets(custom({"*.invalid"}), "", true).refused), "none");
  EXPECT_EQ(shown(network_targets(custom({"a.test", "doctor-check.invalid"}), "", true).refused), "none");
}

TEST(DoctorNetworkTargets, UnderFullAreTheModelServiceAndAnAddressOfClouds) {
  const auto policy = *NetworkPolicy::make(NetworkMode::full, {}, {});
  const auto targets = network_targets(policy, "model.test", true);
  EXPECT_EQ(shown(targets.allowed), "model.test:443");
  EXPECT_EQ(shown(targets.refused), "169.254.169.254:80");
  EXPECT_EQ(targets.reason, DenyReason::private_address);
  EXPECT_EQ(shown(network_targets(policy, "", true).allowed), "none");
  EXPECT_EQ(shown(network_targets(policy, "model.test", false).refused), "none") << "nobody checks addresses";
}

TEST(DoctorNetworkTargets, KnowFakeAddresses) {
  EXPECT_TRUE(is_fake_address("198.18.0.1"));
  EXPECT_TRUE(is_fake_address("198.19.255.255"));
  EXPECT_FALSE(is_fake_address("198.20.0.1"));
  EXPECT_FALSE(is_fake_address("198.1.8.1"));
}

}  // namespace
}  // namespace agentrun::host
