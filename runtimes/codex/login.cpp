#include "login.hpp"

#include <string>
#include <system_error>

#include "agentrun/path.hpp"

namespace agentrun::codex {

namespace {

constexpr const char* remedy = "Run codex login, or pass its content in AGENTRUN_CODEX_AUTH";

}  // namespace

Result<std::filesystem::path> login_file(const Environment& environment, const std::filesystem::path& cwd) {
  if (const auto home = environment.get_nonempty("CODEX_HOME")) return absolute_from(cwd, *home) / "auth.json";
  if (const auto home = environment.get_nonempty("HOME")) return absolute_from(cwd, *home) / ".codex" / "auth.json";
  return failure(ErrorCode::usage, "cannot tell where codex's login file is: HOME is not set",
                 "Set it with --env HOME, or give codex's home with --env CODEX_HOME=DIR");
}

Result<void> require_login(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) return {};
  return failure(ErrorCode::not_found, "codex login file " + file.string() + " not found", remedy);
}

Result<LoginReport> check_login(const LoginContext& context) {
  using Status = LoginReport::Status;
  const auto file = login_file(context.environment, context.cwd);
  if (!file) return tl::unexpected(file.error());
  if (const auto found = require_login(*file); !found) return LoginReport{Status::failed, describe(found.error())};

  std::error_code error;
  std::filesystem::create_symlink(*file, context.scratch / "auth.json", error);
  if (error) {
    return failure(ErrorCode::io, "cannot make a link in " + context.scratch.string() + " (" + error.message() + ")",
                   "Check the permissions of the temporary directory");
  }
  CheckCommand command{context.executable.native(), "login", "status"};
  command.variables.push_back({"CODEX_HOME", context.scratch.native()});
  const CheckRun run = context.services.run(command);
  if (run.exit_code == 0) return LoginReport{Status::ok, "codex login status says that it is logged in"};
  // What it printed may hold a part of the key.
  const std::string said = run.timed_out ? "did not end in time" : "says that it is not logged in";
  return LoginReport{Status::failed, "codex login status " + said + ". " + remedy};
}

}  // namespace agentrun::codex
