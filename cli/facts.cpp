#include "cli/facts.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <string>

#include "cli/printable.hpp"

namespace agentrun::cli {

class FactOutput::DebugLog {
 public:
  DebugLog() : logger_("facts", std::make_shared<spdlog::sinks::stderr_sink_st>()) {
    logger_.set_level(spdlog::level::debug);
    logger_.set_pattern("[%l] %v");
  }

  void line(const std::string& text) { logger_.debug(text); }

 private:
  spdlog::logger logger_;
};

FactOutput::FactOutput(const host::SessionOptions& options, Console& console)
    : console_(console), on_output_(options.dry_run), debug_(options.debug ? std::make_unique<DebugLog>() : nullptr) {}

FactOutput::~FactOutput() = default;

void FactOutput::fact(const host::Fact& fact) {
  const std::string line = printable_line(fact.name) + ": " + printable_line(fact.value);
  if (debug_) debug_->line(line);
  // A dry run whose reader has gone still ends by its own exit code.
  if (on_output_) static_cast<void>(console_.print(line + '\n'));
}

}  // namespace agentrun::cli
