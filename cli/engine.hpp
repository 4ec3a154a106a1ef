#pragma once
// The host as the application sees it: what it can do with a parsed command.

#include <string>
#include <vector>

#include "agentrun/explain.hpp"
#include "agentrun/host/doctor.hpp"
#include "agentrun/host/frontend.hpp"
#include "agentrun/host/options.hpp"
#include "agentrun/host/plugins.hpp"
#include "cli/command_line.hpp"

namespace agentrun::cli {

class Engine : public RuntimeCatalog {
 public:
  [[nodiscard]] virtual std::vector<host::PluginListing> plugins() const = 0;
  [[nodiscard]] virtual Result<Explanation> explain(const host::ExplainOptions& options, host::FactSink& facts) = 0;
  /// These four return the exit code.
  [[nodiscard]] virtual int run_agent(const host::RunOptions& options, host::FactSink& facts,
                                      host::EventFormatter& formatter) = 0;
  [[nodiscard]] virtual int run_command(const host::ExecOptions& options, host::FactSink& facts) = 0;
  [[nodiscard]] virtual int run_doctor(const host::DoctorOptions& options, host::FactSink& facts,
                                       host::CheckReport& report) = 0;
  [[nodiscard]] virtual int reject(const std::string& detail, host::EventFormatter& formatter) = 0;
};

}  // namespace agentrun::cli
