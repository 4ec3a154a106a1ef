#pragma once
// The Engine that really runs things: binds a parsed command to the host.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/host/options.hpp"
#include "agentrun/host/plugins.hpp"
#include "cli/engine.hpp"

namespace agentrun::cli {

class HostEngine final : public Engine {
 public:
  HostEngine(const host::Caller& caller, std::chrono::steady_clock::time_point began);

  [[nodiscard]] std::vector<std::string> runtimes() const override;
  [[nodiscard]] std::vector<std::filesystem::path> directories() const override;
  [[nodiscard]] std::vector<host::PluginListing> plugins() const override;
  [[nodiscard]] Result<Explanation> explain(const host::ExplainOptions& options, host::FactSink& facts) override;
  [[nodiscard]] int run_agent(const host::RunOptions& options, host::FactSink& facts,
                              host::EventFormatter& formatter) override;
  [[nodiscard]] int run_command(const host::ExecOptions& options, host::FactSink& facts) override;
  [[nodiscard]] int run_doctor(const host::DoctorOptions& options, host::FactSink& facts,
                               host::CheckReport& report) override;
  [[nodiscard]] int reject(const std::string& detail, host::EventFormatter& formatter) override;

 private:
  const host::Caller& caller_;
  host::PluginLibrary library_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace agentrun::cli
