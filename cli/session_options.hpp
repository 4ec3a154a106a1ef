#pragma once
// The options that runs, exec and doctor share: where it runs, what confines it, what it reaches, what it is given.

#include "agentrun/host/options.hpp"
#include "agentrun/result.hpp"
#include "cli/argument_parser.hpp"

namespace agentrun::cli {

// `options` must outlive the parser's work.

/// What confines, what is reached, what is given.
void declare_confinement_options(ArgumentParser& parser, host::SessionOptions& options);

/// These and where it runs and how it is controlled.
void declare_session_options(ArgumentParser& parser, host::SessionOptions& options);

/// Refuses combinations that make no sense, after parsing.
[[nodiscard]] Result<void> check_session_options(const host::SessionOptions& options);

}  // namespace agentrun::cli
