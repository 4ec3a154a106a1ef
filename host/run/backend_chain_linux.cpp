#include "run/sandbox_choice.hpp"

namespace agentrun::host {

std::vector<std::string> backend_chain() { return {"bwrap", "landlock"}; }

}  // namespace agentrun::host
