#pragma once
// What a backend's check may do on this machine: look for a tool, run a short command.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/backend.hpp"
#include "process/signals.hpp"
#include "session/search_path.hpp"

namespace agentrun::host {

class CheckRunner final : public CheckServices {
 public:
  /// All commands of one check together get `budget`.
  CheckRunner(const SearchPath& search, std::vector<std::filesystem::path> writable,
              std::vector<std::string> environment, SignalSource& signals,
              std::chrono::milliseconds budget = std::chrono::seconds(5));

  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view name) const override;
  /// After an ending signal (SignalSource::first) it starts nothing more.
  [[nodiscard]] CheckRun run(const CheckCommand& command) override;
  [[nodiscard]] bool root() const noexcept override;

 private:
  const SearchPath& search_;
  std::vector<std::filesystem::path> writable_;
  std::vector<std::string> environment_;
  SignalSource& signals_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace agentrun::host
