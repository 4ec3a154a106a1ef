#include "session/credentials.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "agentrun/path.hpp"
#include "session/opened_directory.hpp"
#include "session/private_directories.hpp"
#include "session/sha256.hpp"
#include "system/file.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr const char* login_name = "auth.json";
constexpr const char* note_name = "auth.json.agentrun-sha256";
constexpr const char* temporary_name = "auth.json.agentrun-new";
constexpr milliseconds turn_limit{10'000};
constexpr milliseconds turn_pause{5};

/// The login directory, locked. Everything below happens relative to it.
class LoginDirectory {
 public:
  explicit LoginDirectory(Descriptor directory) : directory_(std::move(directory)) {}

  /// The agent of a pi run can write here: it could hold the lock for ever.
  [[nodiscard]] bool wait_for_turn() const {
    const auto end = std::chrono::steady_clock::now() + turn_limit;
    while (try_lock(directory_.get()) == LockAttempt::held_by_another) {
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::sleep_for(turn_pause);
    }
    return true;
  }

  [[nodiscard]] bool has_login() const {
    struct stat facts {};
    return ::fstatat(directory_.get(), login_name, &facts, 0) == 0;
  }

  /// Empty when there is no note.
  [[nodiscard]] std::string note() const {
    const Descriptor file(::openat(directory_.get(), note_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    std::array<char, 65> bytes{};
    const ssize_t count = file.valid() ? ::read(file.get(), bytes.data(), bytes.size()) : 0;
    return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
  }

  /// 0, or the errno value of what failed. Without the old note first: a run that dies between the two would leave a
  /// note that belongs to another login.
  [[nodiscard]] int replace(std::string_view login, const std::string& new_note) const {
    if (::unlinkat(directory_.get(), note_name, 0) != 0 && errno != ENOENT) return errno;
    if (const int error = put(login_name, login); error != 0) return error;
    if (const int error = put(note_name, new_note); error != 0) return error;
    ::fsync(directory_.get());
    return 0;
  }

 private:
  /// By rename, which replaces a link instead of following it: an agent that may write here could otherwise point
  /// the login at any file of the user.
  [[nodiscard]] int put(const char* name, std::string_view content) const {
    // One name is enough under the lock, and what a killed run left is not left for ever.
    if (::unlinkat(directory_.get(), temporary_name, 0) != 0 && errno != ENOENT) return errno;
    const Descriptor file(::openat(directory_.get(), temporary_name,
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file.valid()) return errno;
    int error = write_all(file.get(), content);
    if (error == 0 && ::fsync(file.get()) != 0) error = errno;
    if (error == 0 && ::renameat(directory_.get(), temporary_name, directory_.get(), name) != 0) error = errno;
    if (error != 0) ::unlinkat(directory_.get(), temporary_name, 0);
    return error;
  }

  Descriptor directory_;
};

}  // namespace

std::optional<LoginFile> login_file_of(std::string_view runtime) {
  if (runtime == "codex") return LoginFile{"AGENTRUN_CODEX_AUTH", "CODEX_HOME", ".codex"};
  if (runtime == "pi") return LoginFile{"AGENTRUN_PI_AUTH", "PI_CODING_AGENT_DIR", ".pi/agent"};
  return std::nullopt;
}

Result<fs::path> login_path(const LoginFile& login, const Environment& session, const fs::path& cwd) {
  if (const auto directory = session.get_nonempty(login.home_variable)) {
    return absolute_from(cwd, fs::path(*directory)) / login_name;
  }
  if (const auto home = session.get_nonempty("HOME")) {
    return absolute_from(cwd, fs::path(*home)) / login.default_directory / login_name;
  }
  return failure(ErrorCode::not_found,
                 "the login file has no place: neither " + login.home_variable + " nor HOME is set",
                 "Set one of them, with --env for example");
}

Result<std::optional<WrittenCredentials>> write_credentials(const LoginFile& login, const SessionEnvironment& session,
                                                            const fs::path& cwd) {
  const auto value = session.credentials.find(login.variable);
  if (value == session.credentials.end() || value->second.empty()) return std::nullopt;
  const auto path = login_path(login, session.environment, cwd);
  if (!path) {
    return failure(path.error().code, login.variable + " cannot be written: " + path.error().message,
                   path.error().hint);
  }
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorCode::io, login.variable + " cannot be written to " + path->string() + ": " + why,
                   "Make its directory writable, or unset " + login.variable + " to use the login that is there");
  };

  if (const int error = make_private_directories(path->parent_path()); error != 0) return refuse(system_text(error));
  Descriptor opened(::open(path->parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) return refuse(system_text(errno));
  const LoginDirectory directory(std::move(opened));
  if (!directory.wait_for_turn()) return refuse("another process has locked the directory for 10 seconds");

  const std::string note = sha256_hex(value->second) + "\n";
  WrittenCredentials result{login.variable, *path, false};
  if (directory.has_login() && directory.note() == note) return result;
  if (const int error = directory.replace(value->second, note); error != 0) return refuse(system_text(error));
  result.written = true;
  return result;
}

}  // namespace agentrun::host
