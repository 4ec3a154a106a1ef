#pragma once
// Starts short commands in the sandbox of a runtime, the way a run starts the runtime: the same surroundings, policy,
// proxy and wrapper, with a scratch directory as the working directory.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "doctor/examinee.hpp"
#include "doctor/scratch.hpp"
#include "run/confinement.hpp"
#include "run/launch.hpp"
#include "run/network_feed.hpp"

namespace agentrun::host {

struct EnclosedCommand {
  std::vector<std::string> argv;
  /// With the runtime's private homes, and its variables for checks pointing to scratch directories.
  bool as_runtime = false;
};

struct EnclosedResult {
  std::optional<int> exit_code;
  std::string output;               ///< the first 64 KiB
  std::string error;                ///< the last 500 characters
  std::optional<std::string> note;  ///< what is weaker than asked for
};

class Enclosure {
 public:
  /// Chooses the command when everything around it is decided.
  using Choice = std::function<EnclosedCommand(const Ground& ground)>;

  /// `examinee` has a sandbox that runs. What is given by reference outlives it. `executable` may be absent.
  [[nodiscard]] static Result<Enclosure> make(const Examinee& examinee,
                                              const std::optional<std::filesystem::path>& executable,
                                              const DoctorOptions& options, const Job& job, const Scratch& scratch,
                                              SignalSource& signals, NetworkFeed& feed);

  [[nodiscard]] const std::filesystem::path& cwd() const noexcept { return setting_.cwd; }
  [[nodiscard]] const Needs& needs() const noexcept { return surroundings_.needs; }
  [[nodiscard]] bool default_list() const noexcept { return options_.default_deny_read; }

  /// One more path that cannot be read, from now on.
  void deny_read(const std::filesystem::path& path) { options_.deny_read.push_back(path.native()); }

  /// Refused when the command did not begin, or did not end in time.
  [[nodiscard]] Result<EnclosedResult> run(const Choice& choose);

 private:
  Enclosure(const Examinee& examinee, const Job& job, SignalSource& signals, NetworkFeed& feed, Setting setting,
            SessionOptions options, Surroundings surroundings);

  struct Prepared {
    SessionSpace space;
    Confinement confinement;
  };
  [[nodiscard]] Result<Prepared> prepare(const Choice& choose) const;
  [[nodiscard]] tl::expected<EnclosedResult, LaunchError> run_once(const Choice& choose);

  const Examinee& examinee_;
  const Job& job_;
  SignalSource& signals_;
  NetworkFeed& feed_;
  Setting setting_;
  SessionOptions options_;
  Surroundings surroundings_;
  bool told_ = false;  ///< the facts, under --debug
};

}  // namespace agentrun::host
