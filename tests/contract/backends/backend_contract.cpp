#include "backend_contract.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "agentrun/plugin.hpp"
#include "bwrap_backend.hpp"
#include "landlock_backend.hpp"

// The descriptor of the none backend, whose source is part of this program.
extern "C" const agentrun::AgentrunPluginDescriptor AGENTRUN_DESCRIPTOR_SYMBOL;

namespace agentrun::contract {
namespace {

constexpr const char* nobody = "65534";

std::shared_ptr<Backend> none() {
  const auto& factory = AGENTRUN_DESCRIPTOR_SYMBOL.backend;
  Backend* made = factory.create([](void*, const char* text) { throw std::runtime_error(text); }, nullptr);
  return {made, factory.destroy};
}

std::shared_ptr<Backend> bwrap() { return std::make_shared<agentrun::bwrap::BwrapBackend>(); }

std::shared_ptr<Backend> landlock() { return std::make_shared<agentrun::landlock::LandlockBackend>(); }

Variant landlock_variant(std::string name, User user = User::of_the_test) {
  return {.name = std::move(name),
          .make = landlock,
          .user = user,
          .means = {.own_network = false,
                    .hides_inside_writable = false,
                    .makes_state_entries = false,
                    .blocks_unix_sockets = true,
                    .blocks_device_nodes = false},
          .plugin_directory = AGENTRUN_PLUGIN_DIRECTORY};
}

/// What a machine lacks is a reason to skip, and a failure where everything must be there.
bool strict() { return std::getenv("AGENTRUN_REQUIRE_ALL") != nullptr; }

}  // namespace

std::vector<Variant> confining_variants() {
  const std::vector<std::string> least{"--unshare-pid", "--disable-userns"};
  return {
      {.name = "bwrap", .make = bwrap},
      {.name = "bwrap_as_ordinary_user", .make = bwrap, .user = User::ordinary},
      {.name = "bwrap_in_the_hosts_process_list", .make = bwrap, .refused = {"--unshare-pid"}},
      {.name = "bwrap_in_the_hosts_user_namespace", .make = bwrap, .user = User::root, .refused = {"--unshare-user"}},
      {.name = "bwrap_at_its_least", .make = bwrap, .refused = least},
      {.name = "bwrap_at_its_least_as_ordinary_user", .make = bwrap, .user = User::ordinary, .refused = least},
      landlock_variant("landlock"),
      landlock_variant("landlock_as_ordinary_user", User::ordinary),
  };
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants = confining_variants();
  variants.push_back({.name = "none", .make = none});
  return variants;
}

std::string variant_name(const ::testing::TestParamInfo<Variant>& info) { return info.param.name; }

Policy built(const PolicyBuilder& builder) {
  auto policy = builder.build();
  if (!policy) throw std::runtime_error(describe(policy.error()));
  return *std::move(policy);
}

NetworkAccess network(NetworkAccess::Kind kind) {
  NetworkAccess access;
  access.kind = kind;
  return access;
}

bool BackendContract::runs_as_root() const { return ::geteuid() == 0 && GetParam().user != User::ordinary; }

bool BackendContract::lacks(const std::string& phrase) const {
  const auto& missing = readiness.enforcement.missing;
  return std::find(missing.begin(), missing.end(), phrase) != missing.end();
}

void BackendContract::SetUp() {
  if (GetParam().user != User::of_the_test && ::geteuid() != 0) GTEST_SKIP() << "only root can choose who it is";
  hand_over();
  backend = GetParam().make();
  traits = backend->traits();
  testing::BackendServices services(argv({}), runs_as_root());
  for (const std::string& option : GetParam().refused) services.refuse(option);
  const auto checked = backend->check(services, {.proxied = true, .plugin_directory = GetParam().plugin_directory});
  if (!checked && !strict()) GTEST_SKIP() << describe(checked.error());
  ASSERT_TRUE(checked) << describe(checked.error());
  readiness = *checked;
}

void BackendContract::hand_over() const {
  if (GetParam().user != User::ordinary) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(stage.path())) {
    ASSERT_EQ(::lchown(entry.path().c_str(), 65534, 65534), 0) << entry.path();
  }
  ASSERT_EQ(::lchown(stage.path().c_str(), 65534, 65534), 0);
}

PolicyBuilder BackendContract::builder() const {
  PolicyBuilder made(cwd);
  made.writable(session);
  return made;
}

SandboxPlan BackendContract::plan(const Policy& policy, const NetworkAccess& access,
                                  std::vector<std::string> command) const {
  auto made = backend->plan({policy, access, session, std::move(command)});
  if (!made) throw std::runtime_error(describe(made.error()));
  return *std::move(made);
}

std::vector<std::string> BackendContract::argv(const SandboxPlan& plan) const {
  std::vector<std::string> all;
  if (GetParam().user == User::ordinary) {
    all = {"/usr/bin/setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--inh-caps=-all"};
  }
  all.insert(all.end(), plan.argv.begin(), plan.argv.end());
  return all;
}

std::unique_ptr<testing::BackendProcess> BackendContract::start(const SandboxPlan& plan, std::string input) const {
  hand_over();
  testing::SpawnOptions options{environment, std::move(input)};
  if (!plan.inputs.empty()) options.third = plan.inputs.front().content;
  return std::make_unique<testing::BackendProcess>(argv(plan), options);
}

testing::Exited BackendContract::shell(const PolicyBuilder& policy, std::string script,
                                       std::vector<std::string> parameters) const {
  return shell(policy, network(NetworkAccess::Kind::cut), std::move(script), std::move(parameters));
}

testing::Exited BackendContract::shell(const PolicyBuilder& policy, const NetworkAccess& access, std::string script,
                                       std::vector<std::string> parameters, std::string input) const {
  // The host starts every command in the working directory, whatever the backend does.
  std::vector<std::string> command{"/bin/sh", "-c", std::move(script), "sh"};
  command.insert(command.end(), parameters.begin(), parameters.end());
  const Policy made = built(policy);
  return start(plan(made, access, std::move(command)), std::move(input))->wait();
}

NetworkAccess BackendContract::proxied(std::uint16_t port) const {
  return {.kind = NetworkAccess::Kind::proxied, .port = port, .proxy_socket = session / "proxy.sock"};
}

}  // namespace agentrun::contract
