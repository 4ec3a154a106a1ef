#pragma once
// What one run may do, as a value. Built once by PolicyBuilder, which refuses what cannot be kept; read by backends.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/network_policy.hpp"
#include "agentrun/path.hpp"
#include "agentrun/result.hpp"

namespace agentrun {

/// A directory outside the working directory of which only some entries may be written (pi's state directory: its
/// locks must exclude the user's own pi, so a private copy would not do).
struct StateDirectory {
  std::filesystem::path directory;            ///< links resolved
  std::vector<std::string> writable_entries;  ///< names directly below it; they need not exist

  friend bool operator==(const StateDirectory&, const StateDirectory&) = default;
};

class Policy {
 public:
  [[nodiscard]] const std::filesystem::path& cwd() const noexcept { return cwd_; }
  /// Real paths that may be written with everything below: the working directory, then the session directory.
  [[nodiscard]] const std::vector<std::filesystem::path>& writable() const noexcept { return writable_; }
  /// As asked for, defaults first: what `start.deny_read` shows.
  [[nodiscard]] const std::vector<std::filesystem::path>& deny_read() const noexcept { return deny_read_; }
  /// The existing ones of deny_read and of what the runtime hides, links resolved, without duplicates and without
  /// those inside another.
  [[nodiscard]] const std::vector<HiddenPath>& hidden() const noexcept { return hidden_; }
  [[nodiscard]] const std::vector<StateDirectory>& states() const noexcept { return states_; }
  /// Unix sockets outside that the agent may connect to, links resolved. A backend may allow others too.
  [[nodiscard]] const std::vector<std::filesystem::path>& unix_sockets() const noexcept { return unix_sockets_; }
  /// /tmp is an empty directory of the sandbox's own; what the agent may write below it is there.
  [[nodiscard]] bool private_tmp() const noexcept { return private_tmp_; }
  [[nodiscard]] const NetworkPolicy& network() const noexcept { return network_; }

 private:
  friend class PolicyBuilder;
  Policy() = default;
  std::filesystem::path cwd_;
  std::vector<std::filesystem::path> writable_;
  std::vector<std::filesystem::path> deny_read_;
  std::vector<HiddenPath> hidden_;
  std::vector<StateDirectory> states_;
  std::vector<std::filesystem::path> unix_sockets_;
  bool private_tmp_ = false;
  NetworkPolicy network_;
};

class PolicyBuilder {
 public:
  /// `cwd` must exist; it is the first writable directory.
  explicit PolicyBuilder(std::filesystem::path cwd);

  PolicyBuilder& writable(std::filesystem::path directory);
  PolicyBuilder& state(StateDirectory directory);
  PolicyBuilder& network(NetworkPolicy policy);
  PolicyBuilder& private_tmp(bool wanted);
  PolicyBuilder& unix_socket(std::filesystem::path socket);

  /// A directory that must stay readable, under the name that messages use ("working directory", "temporary
  /// directory", "pi state directory"). The working directory is required from the start.
  PolicyBuilder& require(std::string name, std::filesystem::path directory);

  /// A default denial: dropped silently when it equals or contains a required directory.
  PolicyBuilder& deny_read_default(std::filesystem::path path);
  /// A --deny-read value, absolute or relative to `base`. Refused by build() when it equals or contains a required
  /// directory, or starts with '~' (it would hide a file of that name and protect nothing).
  PolicyBuilder& deny_read(std::string_view value, const std::filesystem::path& base);
  /// Hidden for the runtime's own sake, not listed in deny_read().
  PolicyBuilder& hide(std::filesystem::path path);

  /// Also refused: a working directory of "/" (nothing would be left to protect), and a writable directory below a
  /// hidden one.
  [[nodiscard]] Result<Policy> build() const;

 private:
  struct Required {
    std::string name;
    std::filesystem::path directory;
  };
  struct Denial {
    std::optional<std::string> written;  ///< the option's value; absent for a default
    std::filesystem::path path;
  };
  [[nodiscard]] Result<std::vector<std::filesystem::path>> checked_denials() const;

  std::filesystem::path cwd_;
  std::vector<std::filesystem::path> writable_;
  std::vector<Required> required_;
  std::vector<Denial> denials_;
  std::vector<std::filesystem::path> hide_;
  std::vector<StateDirectory> states_;
  std::vector<std::filesystem::path> unix_sockets_;
  bool private_tmp_ = false;
  NetworkPolicy network_;
};

}  // namespace agentrun
