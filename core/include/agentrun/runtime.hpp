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

#include "agentrun/check_services.hpp"
#include "agentrun/environment.hpp"
#include "agentrun/network_access.hpp"
#include "agentrun/network_policy.hpp"
#include "agentrun/planned_file.hpp"
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
  bool keeps_sessions = false;                 ///< Launch::record: --session-dir and --resume
  bool reads_own_login = false;                ///< its login file stays readable inside the sandbox
  bool echoes_prompt = false;                  ///< else the host emits the prompt event itself
  std::vector<std::string> removed_variables;  ///< inherited ones that would change how it logs in
  std::vector<std::string> removed_prefixes;   ///< the same, by the start of their names

  /// The backends that fit, best first; empty: the platform's own order.
  std::vector<std::string> backends;
  /// It runs its agent's commands in a sandbox of its own: the backend is checked and recorded, and gives
  /// Backend::own_arguments() instead of wrapping the process.
  bool confines_itself = false;

  std::string oldest_version;  ///< of the executable, "1.0.1"; doctor fails below it. Empty: any
  /// Variables that name a directory of the runtime's state: a check points them to a scratch directory, since some
  /// runtimes write there at every start.
  std::vector<std::string> scratch_variables;
  std::string install_command;  ///< that installs the executable: "npm install -g NAME". Empty: unknown
  /// Where its model service usually is, for a check of the network when Needs::services names no host.
  std::string usual_service_host;
};

/// What the user asked for.
struct RunArguments {
  std::optional<std::string> model;
  std::optional<std::string> effort;
  std::optional<std::uint64_t> max_turns;
  bool subagents = true;
  bool keep_session = false;          ///< the session's record is saved at the end
  std::optional<std::string> resume;  ///< the id of a saved session to go on with
  std::vector<std::string> extra;     ///< behind "--": passed on unchanged, behind what the runtime generates
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

/// Who speaks to the filter proxy while the runtime confines itself. A wrapped process always does.
enum class ProxyUse {
  none,      ///< nobody: it is not started
  commands,  ///< what the runtime's own sandbox runs: the runtime passes LaunchContext::network on
  process,   ///< the process, by the proxy variables of its environment
};

/// A directory of one run, in place of one that the user has.
struct PrivateHome {
  struct Link {
    std::string name;
    std::filesystem::path target;  ///< absolute; need not exist
  };

  std::string name;       ///< as facts show it: "codex home"
  std::string directory;  ///< its name inside the session directory, of letters, digits and '-'
  /// Beside the session directory instead: `agentrun-<random>-DIRECTORY`, not writable in the sandbox.
  bool beside = false;
  std::string variable;  ///< of the environment, set to its path; empty: none
  std::vector<Link> links;
};

/// Facts that are known before anything is made. Paths are absolute.
struct NeedsContext {
  const RunArguments& arguments;
  const Environment& environment;         ///< the session's, before PATH, TMPDIR and proxy variables are set last
  CheckServices& services;                ///< for questions to the executable; nothing may be changed by them
  std::filesystem::path executable = {};  ///< as found in the session PATH; empty when the launch names it
  std::filesystem::path cwd = {};
  std::filesystem::path plugin_directory = {};  ///< where this plugin's file lies, links resolved
  NetworkMode network = NetworkMode::none;
  bool sandboxed = true;
  bool login_given = false;  ///< the caller passes the content of the login file in a variable
};

/// What the runtime needs from its surroundings.
struct Needs {
  ServiceHosts services;
  ProxyUse proxy = ProxyUse::process;
  std::vector<StateDirectory> states;
  std::vector<std::filesystem::path> hide;  ///< unreadable inside, for the runtime's own sake
  std::vector<RequiredDirectory> required;  ///< must stay readable
  std::vector<PrivateHome> homes;
};

/// Facts for planning. In a dry run nothing exists and `session_directory` is only a name.
struct LaunchContext {
  const RunArguments& arguments;
  const std::string& prompt;
  const Environment& environment;
  const Policy& policy;
  CheckServices& services;
  NetworkAccess network = {};  ///< the proxy's port is 0 in a dry run
  std::filesystem::path executable = {};
  std::filesystem::path cwd = {};
  std::filesystem::path session_directory = {};
  std::filesystem::path plugin_directory = {};
  std::vector<std::filesystem::path> images = {};  ///< copies in the session directory
  std::vector<std::filesystem::path> homes = {};   ///< of Needs::homes, in their order
  std::string session_id = {};                     ///< a new random UUID (version 4)
  bool sandboxed = true;
  std::string search_path = {};  ///< the session PATH, --path directories in front
};

/// Where the runtime keeps the record of its session while it runs: files below `directory`. To resume, the host
/// copies the saved record there before the start; to save, it moves it away at the end.
struct SessionRecord {
  std::filesystem::path directory;
  std::vector<std::string> entries;  ///< names directly below it that belong to the record; empty: all of it
  std::string id;                    ///< when it is known before the run; else Verdict::session tells it
};

struct Launch {
  std::optional<std::filesystem::path> executable;  ///< instead of RuntimeTraits::executable
  std::vector<std::string> arguments;               ///< behind the executable, with RunArguments::extra in place
  std::optional<std::size_t> prompt_argument;       ///< index in `arguments` of the one that holds the prompt
  /// Index in `arguments` where Backend::own_arguments() go: behind a sub-command, in front of the prompt.
  std::size_t own_arguments_at = 0;
  std::string standard_input;           ///< written, then closed
  std::vector<Variable> variables;      ///< set in the session environment
  std::vector<PlannedFile> files;       ///< in the session directory or a private home
  std::optional<SessionRecord> record;  ///< present when the session is to be kept
};

/// Facts for the question whether the runtime can log in.
struct LoginContext {
  const RunArguments& arguments;
  const Environment& environment;
  CheckServices& services;
  std::filesystem::path executable = {};
  std::filesystem::path cwd = {};
  std::filesystem::path scratch = {};  ///< an empty directory, removed afterwards
};

struct LoginReport {
  enum class Status { ok, failed, skipped };
  Status status = Status::skipped;
  std::string detail;  ///< of a failure with its remedy; never a secret
};

/// How the process ended.
struct ExitFacts {
  std::optional<int> exit_code = {};  ///< absent when a signal ended it
  std::optional<int> signal = {};
  std::string_view standard_error_tail = {};  ///< its last 500 characters
  std::string_view last_refusal = {};         ///< of the proxy: "HOST:PORT (REASON)"; empty when it refused nothing
};

struct Verdict {
  enum class Status { finished, limit, failed };
  Status status = Status::finished;
  /// For `failed` the runtime's own error text; empty: the host takes the tail of standard error.
  std::string detail;
  std::optional<UsageTotals> usage;    ///< the runtime's own total where it has one
  std::optional<std::string> session;  ///< the id under which the session can be resumed, when the output tells it
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

  /// Before anything is made. The default: a proxy and nothing else.
  [[nodiscard]] virtual Result<Needs> needs(const NeedsContext& context) const {
    static_cast<void>(context);
    return Needs{};
  }

  [[nodiscard]] virtual Result<Launch> plan(const LaunchContext& context) const = 0;

  [[nodiscard]] virtual Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const = 0;

  /// For doctor: whether a run here could log in.
  [[nodiscard]] virtual Result<LoginReport> login(const LoginContext& context) const {
    static_cast<void>(context);
    return LoginReport{LoginReport::Status::skipped, "this runtime has no check of its login"};
  }
};

}  // namespace agentrun
