#pragma once
// What every backend must hold, tried from inside. One suite, run over each backend that works on this machine, as
// the user of the test and, when that is root, as an ordinary user too.

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "agentrun/backend.hpp"
#include "agentrun/policy.hpp"
#include "backend_files.hpp"
#include "backend_process.hpp"
#include "backend_services.hpp"

namespace agentrun::contract {

enum class User { of_the_test, root, ordinary };

/// What a backend's means can do at all. Where one cannot, a test sees instead that it says so or refuses.
struct Means {
  bool own_network = true;            ///< a network namespace: a port inside is not one outside
  bool hides_inside_writable = true;  ///< a denied path may lie inside a writable directory
  bool makes_state_entries = true;    ///< named files of a state directory need not exist, and can be replaced
  bool blocks_unix_sockets = false;   ///< all that do not lie below a writable directory
  bool blocks_device_nodes = true;    ///< outside of /dev
};

struct Variant {
  std::string name;
  std::function<std::shared_ptr<Backend>()> make = {};
  User user = User::of_the_test;
  std::vector<std::string> refused = {};  ///< options that the machine is made not to allow
  Means means = {};
  std::filesystem::path plugin_directory = {};
};

inline std::ostream& operator<<(std::ostream& out, const Variant& variant) { return out << variant.name; }

/// `confining` leaves out the backend that does nothing.
[[nodiscard]] std::vector<Variant> all_variants();
[[nodiscard]] std::vector<Variant> confining_variants();

/// A name for the instances of a parameterised suite.
[[nodiscard]] std::string variant_name(const ::testing::TestParamInfo<Variant>& info);

/// A stage on disk (working, session and outside directory, owned by the user of the run), and a checked backend.
class BackendContract : public ::testing::TestWithParam<Variant> {
 protected:
  void SetUp() override;

  /// Gives everything on the stage to the user of the run.
  void hand_over() const;
  [[nodiscard]] PolicyBuilder builder() const;
  [[nodiscard]] SandboxPlan plan(const Policy& policy, const NetworkAccess& network,
                                 std::vector<std::string> command) const;
  [[nodiscard]] std::vector<std::string> argv(const SandboxPlan& plan) const;
  [[nodiscard]] std::unique_ptr<testing::BackendProcess> start(const SandboxPlan& plan, std::string input = {}) const;

  /// Runs a shell script under the policy with the network cut. Positional parameters as given.
  [[nodiscard]] testing::Exited shell(const PolicyBuilder& policy, std::string script,
                                      std::vector<std::string> parameters = {}) const;
  [[nodiscard]] testing::Exited shell(const PolicyBuilder& policy, const NetworkAccess& network, std::string script,
                                      std::vector<std::string> parameters = {}, std::string input = {}) const;

  /// By default on a port of its own inside; where it is the host's, the tests' proxy chooses one.
  [[nodiscard]] NetworkAccess proxied(std::uint16_t port = 38123) const;
  [[nodiscard]] const Means& means() const { return GetParam().means; }
  [[nodiscard]] bool runs_as_root() const;
  /// The backend said that it falls short in this.
  [[nodiscard]] bool lacks(const std::string& phrase) const;

  testing::TempDir stage;
  std::filesystem::path cwd = stage.make("work");
  std::filesystem::path session = stage.make("agentrun-1");
  std::filesystem::path outside = stage.make("outside");
  std::shared_ptr<Backend> backend;
  BackendTraits traits;
  Readiness readiness;
  std::vector<std::string> environment{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent"};
};

/// Prints which of the signals 1 to 31 are blocked and ignored. Those of the thread library (32 and 33) are its own.
inline constexpr const char* signals_script =
    "while read -r name mask; do case $name in SigBlk:|SigIgn:) printf '%s%x\\n' $name $((0x$mask & 0x7fffffff)) ;; "
    "esac; done </proc/self/status";

[[nodiscard]] Policy built(const PolicyBuilder& builder);
[[nodiscard]] NetworkAccess network(NetworkAccess::Kind kind);

}  // namespace agentrun::contract
