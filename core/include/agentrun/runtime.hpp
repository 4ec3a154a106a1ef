#pragma once
// The interface of a runtime plugin. A runtime checks arguments, plans the launch and translates output; it never
// spawns, waits or kills: the host does. An implementation may throw: the macro in plugin.hpp wraps it so that an
// exception becomes an Error before it leaves the module.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/network_policy.hpp"
#include "agentrun/policy.hpp"
#include "agentrun/record.hpp"
#include "agentrun/result.hpp"
#include "agentrun/usage.hpp"

namespace agentrun {

/// What a runtime is, independent of a run.
struct RuntimeTraits {
  std::string executable;  ///< looked up in the session PATH; empty: Launch::executable names the program
  bool takes_images = false;
  bool limits_turns = false;
  bool takes_model = true;
  bool takes_effort = true;
  bool reads_own_login = false;                ///< its login file stays readable inside the sandbox
  bool echoes_prompt = false;                  ///< else the host emits the prompt event itself
  std::vector<std::string> removed_variables;  ///< inherited ones that would change how it logs in
  std::vector<std::string> removed_prefixes;   ///< the same, by the start of their names
};

/// What the user asked for.
struct RunArguments {
  std::optional<std::string> model;
  std::optional<std::string> effort;
  std::optional<std::uint64_t> max_turns;
  bool subagents = true;
  std::vector<std::string> extra;  ///< behind "--": passed on unchanged, behind what the runtime generates
};

/// Facts for planning. Paths are absolute. In a dry run nothing exists yet and `session_directory` is "<tempdir>".
struct LaunchContext {
  const RunArguments& arguments;
  const std::string& prompt;
  const Environment& environment;  ///< the session's, before PATH, TMPDIR and proxy variables are set last
  std::filesystem::path cwd;
  std::filesystem::path session_directory;
  std::filesystem::path plugin_directory;     ///< where this plugin's file lies, links resolved
  std::vector<std::filesystem::path> images;  ///< copies in the session directory
  bool sandboxed = true;
};

/// Where the model service is. `unknown` says why it cannot be told; it refuses a run under --network none only.
struct ServiceHosts {
  std::vector<std::string> hosts;  ///< lower case; reached on port 443
  std::optional<Error> unknown;
};

struct RequiredDirectory {
  std::string name;  ///< as messages use it: "pi state directory"
  std::filesystem::path path;
};

struct Launch {
  std::optional<std::filesystem::path> executable;  ///< instead of RuntimeTraits::executable
  std::vector<std::string> arguments;               ///< behind the executable, with RunArguments::extra in place
  std::optional<std::size_t> prompt_argument;       ///< index in `arguments` of the one that holds the prompt
  std::string standard_input;                       ///< written, then closed
  std::vector<Variable> variables;                  ///< set in the session environment
  ServiceHosts services;
  std::optional<StateDirectory> state;
  std::vector<std::filesystem::path> hide;  ///< unreadable inside, for the runtime's own sake
  std::vector<RequiredDirectory> required;  ///< must stay readable
};

/// How the process ended.
struct ExitFacts {
  std::optional<int> exit_code;  ///< absent when a signal ended it
  std::optional<int> signal;
  std::string_view standard_error_tail;  ///< its last 500 characters
};

struct Verdict {
  enum class Status { finished, limit, failed };
  Status status = Status::finished;
  /// For `failed` the runtime's own error text; empty: the host takes the tail of standard error.
  std::string detail;
  std::optional<UsageTotals> usage;    ///< the runtime's own total where it has one
  std::optional<std::string> session;  ///< the id of a session that can be resumed
};

/// Translates one run's standard output. Called from one thread.
class Translator {
 public:
  /// At least this many readable bytes follow each line, so that a SIMD parser can work in place.
  static constexpr std::size_t line_padding = 64;

  virtual ~Translator() = default;

  /// One line without its newline; any bytes. What is not understood is ignored.
  virtual void line(std::string_view line, RecordSink& sink) = 0;

  /// After the last line. First of the runtime's own failure rules that holds; `finished` otherwise.
  virtual Verdict finish(const ExitFacts& exit, RecordSink& sink) = 0;
};

/// One object a run, owned by the host, destroyed by the module that made it.
class Runtime {
 public:
  virtual ~Runtime() = default;

  [[nodiscard]] virtual RuntimeTraits traits() const = 0;

  /// Refuses arguments that this runtime cannot take, before anything is touched.
  [[nodiscard]] virtual Result<void> check(const RunArguments& arguments) const = 0;

  [[nodiscard]] virtual Result<Launch> plan(const LaunchContext& context) const = 0;

  [[nodiscard]] virtual Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const = 0;
};

}  // namespace agentrun
