#pragma once
// One short line an event: the format for people, logs and terminals that cannot redraw.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/host/frontend.hpp"

namespace agentrun::cli {

/// "[label] what". The label is `main` or a subagent's kind and number ("explore#1"). Memory grows with the number of
/// subagents.
class TextFormatter final : public host::EventFormatter {
 public:
  void sandbox_missing(std::string_view reason) override { missing_reason_ = reason; }
  void format(const Event& event, std::string& out) override;

 private:
  struct Agent {
    std::string label;
    std::optional<std::string> model;  ///< of its last model call, else of its start
  };
  class Lines;

  std::optional<std::string> missing_reason_;
  std::map<std::string, Agent> agents_;
};

}  // namespace agentrun::cli
