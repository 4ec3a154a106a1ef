#pragma once
// A machine without tools: for plans that ask nothing.

#include "agentrun/check_services.hpp"

namespace agentrun::testing {

class NoServices final : public CheckServices {
 public:
  [[nodiscard]] std::optional<std::filesystem::path> find_tool(std::string_view) const override { return std::nullopt; }
  [[nodiscard]] CheckRun run(const CheckCommand&) override { return {}; }
  [[nodiscard]] bool root() const noexcept override { return false; }
};

}  // namespace agentrun::testing
