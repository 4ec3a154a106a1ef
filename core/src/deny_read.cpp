#include "agentrun/deny_read.hpp"

#include <algorithm>
#include <optional>

#include "agentrun/path.hpp"

namespace agentrun {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view below_home[] = {
    // Keys.
    ".ssh", ".gnupg", ".netrc", ".git-credentials", ".config/git/credentials", ".pgpass", ".my.cnf",
    // Clouds and registries.
    ".aws", ".azure", ".config/gcloud", ".kube", ".docker/config.json", ".config/gh", ".config/glab-cli", ".config/hub",
    ".npmrc", ".yarnrc.yml", ".pypirc", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml",
    ".gradle/gradle.properties", ".terraform.d/credentials.tfrc.json", ".config/rclone", ".config/op",
    ".password-store",
    // macOS.
    "Library/Keychains", "Library/Cookies",
    // Browsers.
    ".mozilla", ".config/google-chrome", ".config/chromium", "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox"};

class List {
 public:
  List(const Environment& session, const fs::path& cwd) : session_(session), cwd_(cwd) {
    if (const auto home = session.get_nonempty("HOME")) home_ = absolute_from(cwd, *home);
  }

  void add_home(std::string_view entry) {
    if (home_) add(*home_ / entry);
  }

  /// The directory in the variable, else the default one below the home.
  void add_state(std::string_view variable, std::string_view default_directory, std::string_view entry) {
    if (const auto directory = session_.get_nonempty(variable)) {
      add(absolute_from(cwd_, *directory) / entry);
    } else if (home_) {
      add(*home_ / default_directory / entry);
    }
  }

  [[nodiscard]] std::vector<fs::path> take() && { return std::move(paths_); }

 private:
  void add(fs::path path) {
    if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) paths_.push_back(std::move(path));
  }

  const Environment& session_;
  const fs::path& cwd_;
  std::optional<fs::path> home_;
  std::vector<fs::path> paths_;
};

}  // namespace

std::vector<fs::path> default_denied_reads(const Environment& session, const fs::path& cwd, std::string_view reader) {
  List list(session, cwd);
  for (const std::string_view entry : below_home) list.add_home(entry);
  // Logins of the runtimes.
  list.add_state("CLAUDE_CONFIG_DIR", ".claude", ".credentials.json");
  list.add_home(".claude.json");
  list.add_state("CODEX_HOME", ".codex", "auth.json");
  if (reader != "pi") list.add_state("PI_CODING_AGENT_DIR", ".pi/agent", "auth.json");
  list.add_state("DSH_HOME", ".dsh", ".env");
  list.add_state("DSH_HOME", ".dsh", ".credentials.yaml");
  // Their session records.
  list.add_state("CLAUDE_CONFIG_DIR", ".claude", "projects");
  list.add_state("CLAUDE_CONFIG_DIR", ".claude", "history.jsonl");
  list.add_state("CODEX_HOME", ".codex", "sessions");
  list.add_state("CODEX_HOME", ".codex", "archived_sessions");
  list.add_state("CODEX_HOME", ".codex", "history.jsonl");
  list.add_state("DSH_HOME", ".dsh", "sessions");
  return std::move(list).take();
}

}  // namespace agentrun
