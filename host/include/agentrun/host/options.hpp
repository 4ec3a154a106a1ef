#pragma once
// What the command line asked for, as values. The cli fills them; only syntax has been checked so far.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agentrun/environment.hpp"
#include "agentrun/host_rule.hpp"
#include "agentrun/network_policy.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun::host {

/// What to do when the sandbox cannot run: refuse, run without, or never use one.
enum class SandboxMode { on, relax, off };

/// --env KEY=VALUE, or --env KEY for the caller's own value.
struct EnvOption {
  std::string name;
  std::optional<std::string> value;
};

/// Options that a run, exec and doctor share.
struct SessionOptions {
  std::optional<std::filesystem::path> cwd;  ///< default: the current directory
  std::optional<SandboxMode> sandbox;        ///< default: AGENTRUN_SANDBOX, else on
  std::optional<std::string> backend;
  NetworkMode network = NetworkMode::none;
  std::vector<HostRule> allow_hosts;
  SniCheck check_sni = SniCheck::off;
  std::vector<std::string> deny_read;
  bool default_deny_read = true;
  std::vector<std::filesystem::path> allow_unix_sockets;
  bool private_tmp = false;
  std::vector<std::filesystem::path> path;
  std::vector<EnvOption> env;
  std::vector<std::filesystem::path> env_files;
  std::optional<std::uint64_t> timeout_seconds;
  bool debug = false;
  bool dry_run = false;
};

struct RunOptions {
  std::string runtime;
  SessionOptions session;
  RunArguments arguments;
  std::optional<std::string> prompt;
  std::optional<std::filesystem::path> prompt_file;  ///< neither: standard input
  std::vector<std::filesystem::path> images;
  std::optional<std::filesystem::path> raw;
  std::optional<std::filesystem::path> session_directory;  ///< --session-dir: where the session's record is kept
};

struct ExecOptions {
  SessionOptions session;
  std::vector<std::string> command;
  std::optional<std::string> events;  ///< a file, or "fd:N"
};

enum class Access { read, write, connect };

struct ExplainOptions {
  SessionOptions session;
  Access access = Access::read;
  std::string object;  ///< a path, relative to the caller's directory, or HOST:PORT
};

/// The process that agentrun itself is.
struct Caller {
  Environment environment;
  std::filesystem::path cwd;
  std::filesystem::path executable;  ///< agentrun's own file, links resolved
};

}  // namespace agentrun::host
