#include "env_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

namespace agentrun::dsh {

namespace {

// Of dsh-app-boot, without regard to case.
constexpr std::array<std::string_view, 4> refused_prefixes = {"DSH_", "XDG_", "DYLD_", "BASH_FUNC_"};
constexpr std::array<std::string_view, 49> refused_names = {
    "PATH",
    "HOME",
    "USERPROFILE",
    "SHELL",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PERL5OPT",
    "PERL5LIB",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "PYTHONHOME",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_COUNT",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "BROWSER",
    "DEEPSEEK_BASE_URL",
    "DEEPSEEK_SEARCH_BASE_URL",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_TLS_REJECT_UNAUTHORIZED",
};

constexpr int most_lines = 10'000;

/// The name that a line sets; empty for any other line.
std::string_view name_of(std::string_view line) {
  const auto trim = [](std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(" \t") + 1);
  };
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  std::string_view name = trim(line.substr(0, equals));
  constexpr std::string_view exported = "export ";
  if (name.starts_with(exported)) name = trim(name.substr(exported.size()));
  return name;
}

bool is_refused(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  if (std::ranges::find(refused_names, upper) != refused_names.end()) return true;
  return std::ranges::any_of(refused_prefixes, [&](std::string_view prefix) { return upper.starts_with(prefix); });
}

}  // namespace

std::optional<std::string> refused_variable(const std::filesystem::path& file) {
  std::error_code error;
  // The agent can put a pipe there, which would be waited for.
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  for (int count = 0; count < most_lines && std::getline(stream, line); ++count) {
    const std::string_view name = name_of(line);
    if (!name.empty() && is_refused(name)) return std::string(name);
  }
  return std::nullopt;
}

}  // namespace agentrun::dsh
