#pragma once
// One JSON object a line: the format for programs.

#include <string>

#include "agentrun/host/frontend.hpp"

namespace agentrun::cli {

class JsonlFormatter final : public host::EventFormatter {
 public:
  void format(const Event& event, std::string& out) override;
};

}  // namespace agentrun::cli
