#include "plugins/plugin_error.hpp"

#include <utility>

namespace agentrun::host {

std::string_view to_string(PluginStage stage) noexcept {
  switch (stage) {
    case PluginStage::search:
      return "search";
    case PluginStage::trust:
      return "trust";
    case PluginStage::inspect:
      return "inspect";
    case PluginStage::load:
      return "load";
    case PluginStage::descriptor:
      return "descriptor";
    case PluginStage::create:
      return "create";
  }
  return "unknown";
}

tl::unexpected<PluginError> failed_at(PluginStage stage, Error error) {
  return tl::unexpected<PluginError>(PluginError{stage, std::move(error)});
}

tl::unexpected<PluginError> failed_at(PluginStage stage, ErrorCode code, std::string message, std::string hint) {
  return failed_at(stage, Error{code, std::move(message), std::move(hint)});
}

}  // namespace agentrun::host
