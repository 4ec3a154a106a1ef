#include "run/setting.hpp"

#include "agentrun/path.hpp"
#include "run/loader_variables.hpp"
#include "session/sandbox_mode.hpp"

namespace agentrun::host {
namespace {

Result<std::filesystem::path> working_directory(const SessionOptions& options, const Caller& caller) {
  const std::filesystem::path cwd = absolute_from(caller.cwd, options.cwd.value_or("."));
  std::error_code error;
  if (!std::filesystem::is_directory(cwd, error)) {
    return failure(ErrorCode::usage, "--cwd " + cwd.string() + ": not a directory",
                   "Create it, or name one that exists");
  }
  return cwd;
}

}  // namespace

Result<Setting> make_setting(const SessionOptions& options, const RuntimeTraits& traits, const Caller& caller) {
  auto cwd = working_directory(options, caller);
  if (!cwd) return tl::unexpected(cwd.error());
  auto environment = assemble_environment(caller.environment, traits, options);
  if (!environment) return tl::unexpected(environment.error());
  const auto mode = choose_sandbox_mode(options.sandbox, environment->sandbox_setting);
  if (!mode) return tl::unexpected(mode.error());
  if (*mode != SandboxMode::off) {
    if (auto safe = check_loader_variables(environment->environment, *cwd, {*cwd}); !safe) {
      return tl::unexpected(safe.error());
    }
  }
  auto search = SearchPath::make(options.path, environment->environment.get("PATH"), {caller.cwd, *cwd});
  if (!search) return tl::unexpected(search.error());
  return Setting{std::move(*cwd), std::move(*environment), std::move(*search), *mode};
}

}  // namespace agentrun::host
