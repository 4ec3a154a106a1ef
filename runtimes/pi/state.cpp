#include "state.hpp"

#include <optional>
#include <string>
#include <system_error>

#include "agentrun/path.hpp"
#include "config.hpp"

namespace agentrun::pi {

Result<std::filesystem::path> state_directory(const Environment& environment, const std::filesystem::path& cwd) {
  const auto home = environment.get_nonempty("HOME");
  const auto given = environment.get_nonempty("PI_CODING_AGENT_DIR");
  const bool from_home = !given || *given == "~" || given->starts_with("~/");
  if (!from_home) return absolute_from(cwd, *given);
  if (!home) {
    return failure(ErrorCode::usage, "cannot tell where pi's state directory is: HOME is not set",
                   "Set it with --env HOME, or give the directory with --env PI_CODING_AGENT_DIR=DIR");
  }
  const std::filesystem::path base = absolute_from(cwd, *home);
  if (!given) return base / ".pi" / "agent";
  return absolute_from(base, given->substr(std::min<std::size_t>(given->size(), 2)));
}

Result<std::vector<StateDirectory>> writable_states(const std::filesystem::path& directory,
                                                    const std::filesystem::path& home) {
  StateDirectory state;
  state.directory = real_path(directory);
  state.writable_entries = {"auth.json", "auth.json.lock", "models-store.json", "models-store.json.lock",
                            "settings.json.lock"};
  const std::filesystem::path login = state.directory / "auth.json";
  std::error_code error;
  if (!std::filesystem::is_symlink(login, error)) return std::vector{state};
  // The target becomes writable inside. Attack: an agent of an earlier run made auth.json a link to ~/.bashrc.
  const std::filesystem::path target = real_path(login);
  if (!is_login_file(target)) {
    return failure(ErrorCode::untrusted,
                   login.string() + " is a link to " + target.string() + ", which is not a login file of pi",
                   "If you did not make this link, an agent may have; remove it and log in again with pi");
  }
  const std::string name = target.filename().native();
  if (target.parent_path() == state.directory) {
    state.writable_entries.insert(state.writable_entries.end(), {name, name + ".lock"});
    return std::vector{state};
  }
  if (!home.empty() && contains(target.parent_path(), home)) {
    return failure(ErrorCode::untrusted,
                   login.string() + " is a link to " + target.string() + ": pi makes its lock beside it, so " +
                       target.parent_path().string() + " would have to be writable in the sandbox",
                   "Move the login file into a directory of its own, and let the link point there");
  }
  return std::vector{state, StateDirectory{target.parent_path(), {name, name + ".lock"}}};
}

std::vector<std::filesystem::path> hidden_state(const std::filesystem::path& directory) {
  return {directory / "SYSTEM.md", directory / "APPEND_SYSTEM.md"};
}

}  // namespace agentrun::pi
