#include "cli/host_engine.hpp"

#include "agentrun/host/run.hpp"

namespace agentrun::cli {

HostEngine::HostEngine(const host::Caller& caller, std::chrono::steady_clock::time_point began)
    : caller_(caller),
      library_(host::PluginLibrary::search_path(caller.environment, caller.executable)),
      began_(began) {}

std::vector<std::string> HostEngine::runtimes() const { return library_.names(PluginKind::runtime); }

std::vector<std::filesystem::path> HostEngine::directories() const { return library_.directories(); }

std::vector<host::PluginListing> HostEngine::plugins() const { return library_.list(); }

Result<Explanation> HostEngine::explain(const host::ExplainOptions& options, host::FactSink& facts) {
  return host::explain(options, host::Job{caller_, library_, facts, began_});
}

int HostEngine::run_agent(const host::RunOptions& options, host::FactSink& facts, host::EventFormatter& formatter) {
  return host::run_agent(options, host::Job{caller_, library_, facts, began_}, formatter);
}

int HostEngine::run_command(const host::ExecOptions& options, host::FactSink& facts) {
  return host::run_command(options, host::Job{caller_, library_, facts, began_});
}

int HostEngine::run_doctor(const host::DoctorOptions& options, host::FactSink& facts, host::CheckReport& report) {
  return host::run_doctor(options, host::Job{caller_, library_, facts, began_}, report);
}

int HostEngine::reject(const std::string& detail, host::EventFormatter& formatter) {
  return host::reject(detail, began_, formatter);
}

}  // namespace agentrun::cli
