#pragma once
// What a command line means, as a value.

#include <string>
#include <variant>

#include "agentrun/host/doctor.hpp"
#include "agentrun/host/options.hpp"
#include "cli/output_format.hpp"

namespace agentrun::cli {

struct RunCommand {
  host::RunOptions options;
  OutputFormat format = OutputFormat::jsonl;
};

struct ExecCommand {
  host::ExecOptions options;
};

struct ExplainCommand {
  host::ExplainOptions options;
  bool json = false;
};

struct PluginsCommand {
  bool json = false;
};

struct DoctorCommand {
  host::DoctorOptions options;
  bool json = false;
};

/// --help and --version: printed to standard output, exit code 0.
struct ShowText {
  std::string text;
};

using Command = std::variant<RunCommand, ExecCommand, ExplainCommand, PluginsCommand, DoctorCommand, ShowText>;

}  // namespace agentrun::cli
