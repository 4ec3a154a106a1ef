#pragma once
// A small real implementation of what a backend's check may do.

#include <string>
#include <vector>

#include "agentrun/backend.hpp"

namespace agentrun::testing {

/// Finds tools in the usual directories and runs commands behind `launcher` (setpriv …, or nothing).
class BackendServices final : public CheckServices {
 public:
  BackendServices(std::vector<std::string> launcher, bool root) : launcher_(std::move(launcher)), root_(root) {}

  /// A run with this option fails, as on a machine that does not allow it.
  void refuse(std::string option) { refused_.push_back(std::move(option)); }

  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view name) const override;
  [[nodiscard]] CheckRun run(const CheckCommand& command) override;
  [[nodiscard]] bool root() const noexcept override { return root_; }

 private:
  std::vector<std::string> launcher_;
  bool root_;
  std::vector<std::string> refused_;
};

}  // namespace agentrun::testing
