#include "session/environment.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "agentrun/env_file.hpp"
#include "session/input.hpp"

namespace agentrun::host {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view own_prefix = "AGENTRUN_";
constexpr std::size_t env_file_limit = std::size_t{4} * 1024 * 1024;

constexpr std::array<std::string_view, 6> proxy_variables{"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY",
                                                          "https_proxy", "http_proxy", "all_proxy"};
constexpr std::array<std::string_view, 2> no_proxy_variables{"NO_PROXY", "no_proxy"};

bool is_own(std::string_view name) { return name.starts_with(own_prefix); }
bool is_own_login(std::string_view name) { return is_own(name) && name.ends_with("_AUTH"); }

bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_once(Names& names, std::string_view name) {
  if (!holds(names, name)) names.emplace_back(name);
}

bool must_not_be_inherited(const RuntimeTraits& traits, std::string_view name) {
  return holds(traits.removed_variables, name) ||
         std::any_of(traits.removed_prefixes.begin(), traits.removed_prefixes.end(),
                     [&](const std::string& prefix) { return name.starts_with(prefix); });
}

Result<std::vector<Variable>> read_env_file(const std::filesystem::path& file) {
  const std::string label = "--env-file " + file.string();
  InputLimits limits;
  limits.bytes = env_file_limit;
  limits.silent_writer = std::chrono::seconds(30);
  auto content = read_input_file(file, label, limits, -1);
  if (!content) return tl::unexpected(std::move(content.error()));
  return parse_env_file(*content, file.string());
}

/// Gives the variables of --env-file and --env to `session`.
class Giver {
 public:
  explicit Giver(SessionEnvironment& session) : session_(session) {}

  void give(std::string_view name, std::string_view value) {
    session_.environment.set(name, value);
    if (!is_own(name)) add_once(session_.given, name);
  }

 private:
  SessionEnvironment& session_;
};

Result<void> give_options(const std::vector<EnvOption>& options, const Environment& caller, Giver& giver) {
  for (std::size_t at = 0; at < options.size(); ++at) {
    const EnvOption& option = options[at];
    if (!is_variable_name(option.name)) {
      // Not quoted: a value without its name, pasted by mistake, may be a key.
      return failure(ErrorCode::usage,
                     "--env number " + std::to_string(at + 1) + " does not begin with the name of a variable",
                     "Give KEY=VALUE or KEY, KEY of letters, digits and _, not beginning with a digit");
    }
    const auto value = option.value ? std::optional<std::string_view>(*option.value) : caller.get(option.name);
    if (!value) {
      return failure(ErrorCode::usage, "--env " + option.name + ": agentrun's own environment has no " + option.name,
                     "Export it, or give --env " + option.name + "=VALUE");
    }
    giver.give(option.name, *value);
  }
  return {};
}

void drop_inherited(const RuntimeTraits& traits, const Environment& caller, SessionEnvironment& session) {
  for (const auto& [name, value] : caller.variables()) {
    if (!must_not_be_inherited(traits, name)) continue;
    session.environment.erase(name);
    session.removed_values.emplace(name, value);
  }
}

void take_own_variables(const Environment& caller, SessionEnvironment& session) {
  Names own;
  for (const auto& [name, value] : session.environment.variables()) {
    if (is_own(name)) own.push_back(name);
  }
  for (const auto& name : own) {
    if (const auto value = session.environment.get_nonempty(name)) {
      if (name == "AGENTRUN_SANDBOX") {
        session.sandbox_setting.emplace(*value);
        session.agentrun_variables.push_back(name);
      } else if (is_own_login(name)) {
        session.credentials.emplace(name, *value);
        session.agentrun_variables.push_back(name);
      } else if (name == "AGENTRUN_PLUGIN_PATH" && caller.get_nonempty(name)) {
        session.agentrun_variables.push_back(name);
      }
    }
    session.environment.erase(name);
  }
}

/// npm reads npm_config_* in any case.
bool gives_npm_cache(const Names& given) {
  constexpr std::string_view wanted = "npm_config_cache";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::any_of(given.begin(), given.end(), [&](const std::string& name) {
    return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(),
                      [&](char left, char right) { return lower(left) == right; });
  });
}

}  // namespace

Result<SessionEnvironment> assemble_environment(const Environment& caller, const RuntimeTraits& traits,
                                                const SessionOptions& options) {
  SessionEnvironment session;
  session.environment = caller;
  drop_inherited(traits, caller, session);
  Giver giver(session);
  for (const auto& file : options.env_files) {
    auto variables = read_env_file(file);
    if (!variables) return tl::unexpected(std::move(variables.error()));
    for (const auto& variable : *variables) giver.give(variable.name, variable.value);
  }
  if (auto given = give_options(options.env, caller, giver); !given) return tl::unexpected(std::move(given.error()));
  for (const auto& [name, value] : session.removed_values) {
    if (!holds(session.given, name)) session.removed.push_back(name);
  }
  take_own_variables(caller, session);
  return session;
}

std::vector<std::string> apply_last(SessionEnvironment& session, const LastVariables& last) {
  Names names;
  const auto set = [&](std::string_view name, std::string_view value) {
    session.environment.set(name, value);
    add_once(names, name);
  };

  // An empty PATH would mean the current directory, where the agent writes.
  if (!last.path.empty()) set("PATH", last.path);
  for (const auto* name : {"TMPDIR", "TMP", "TEMP"}) set(name, last.session_directory.string());
  for (const auto& variable : last.runtime) {
    if (!is_own(variable.name)) set(variable.name, variable.value);
  }
  if (!last.sandboxed) return names;

  if (last.proxy_port) {
    const std::string proxy = "http://127.0.0.1:" + std::to_string(*last.proxy_port);
    for (const auto name : proxy_variables) set(name, proxy);
    for (const auto name : no_proxy_variables) set(name, "");
  } else if (last.process_confined) {
    const auto remove_inherited = [&](std::string_view name) {
      if (!holds(session.given, name) && !holds(names, name)) session.environment.erase(name);
    };
    for (const auto name : proxy_variables) remove_inherited(name);
    for (const auto name : no_proxy_variables) remove_inherited(name);
  }
  if (!gives_npm_cache(session.given)) set("npm_config_cache", (last.session_directory / "npm-cache").string());
  if (!holds(session.given, "XDG_CACHE_HOME")) set("XDG_CACHE_HOME", (last.session_directory / "cache").string());
  return names;
}

}  // namespace agentrun::host
