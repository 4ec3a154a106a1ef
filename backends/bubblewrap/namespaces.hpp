#pragma once
// Which namespaces and privileges a wrapped process gets: the part of bwrap's command line that a machine may refuse.
// The check and the run use the same functions, so that the check stands for the run.

#include <string>
#include <vector>

namespace agentrun::bwrap {

/// `locked`: a user namespace in which no further one can be made. `own`: one that allows it. `shared`: the host's.
enum class Users { locked, own, shared };

struct Namespaces {
  Users users = Users::locked;
  /// The agent sees and signals its own processes only, and all of them die with the first one.
  bool processes = true;

  friend bool operator==(const Namespaces&, const Namespaces&) = default;
};

/// What the check tries, strongest first. The last ones are the least that is still a sandbox.
[[nodiscard]] std::vector<Namespaces> namespace_attempts(bool root);

/// What falls short of the full sandbox, as phrases for Enforcement::missing.
[[nodiscard]] std::vector<std::string> missing(const Namespaces& namespaces);

/// Processes between the spawned bwrap and the command, see SandboxPlan::depth.
[[nodiscard]] unsigned depth(const Namespaces& namespaces) noexcept;

enum class Loopback { own, shared };

/// `root`: the effective user outside is root.
[[nodiscard]] std::vector<std::string> namespace_arguments(const Namespaces& namespaces, Loopback loopback, bool root);

}  // namespace agentrun::bwrap
