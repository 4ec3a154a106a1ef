#pragma once
// From a command line to an exit code.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/engine.hpp"

namespace agentrun::cli {

/// `words` without the program's name. Never throws but for bugs.
[[nodiscard]] int run_application(const std::vector<std::string>& words, Engine& engine, Console& console);

/// Prints the one event of a refused run and the line on standard error; returns 2.
using Reject = std::function<int(const std::string& detail, host::EventFormatter& formatter)>;

/// How a command line ends that cannot be carried out: a run by `reject`, exec by 125, doctor and plugins by 2,
/// on standard error only.
[[nodiscard]] int refuse(const std::vector<std::string>& words, const Error& error, const Reject& reject,
                         Console& console);

/// What an exception that nobody caught ends with: 125 for exec, whose other codes are the command's, else 1.
[[nodiscard]] int internal_error(const std::vector<std::string>& words, std::string_view what, Console& console);

}  // namespace agentrun::cli
