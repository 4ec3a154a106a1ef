#pragma once
// The facts of a run for --dry-run and --debug. Names of variables, never their values; PATH is the exception.

#include <string>
#include <vector>

#include "agentrun/host/frontend.hpp"
#include "run/confinement.hpp"

namespace agentrun::host {

/// "NAME [in TOOL VERSION at PATH]" and the like, everything known about how this run is confined.
void report_facts(FactSink& sink, const Setting& setting, const SessionOptions& options, const SandboxChoice& sandbox,
                  const SessionSpace& space, const Confinement& confinement, const std::vector<PrivateHome>& homes,
                  const std::vector<std::filesystem::path>& home_paths, const std::vector<std::string>& shown_argv);

}  // namespace agentrun::host
