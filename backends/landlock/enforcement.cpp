#include "enforcement.hpp"

namespace agentrun::landlock {

std::vector<std::string> missing(const Reach& reach) {
  std::vector<std::string> phrases{"shares the process list"};
  if (reach.root) phrases.emplace_back("can read device nodes that lie outside of /dev");
  if (!reach.supervised) {
    phrases.emplace_back("can reach unix sockets outside");
    // Landlock has no rule for chmod(), chown(), utimes() and extended attributes (Linux 6.18).
    phrases.emplace_back("can change modes and times of the user's files outside");
  }
  if (reach.abi < 6) phrases.emplace_back("can signal processes outside");
  if (reach.abi < 5) phrases.emplace_back("can send commands to devices");
  if (reach.abi < 3) phrases.emplace_back("can truncate files outside");
  if (reach.abi < 2) phrases.emplace_back("cannot move files between directories");
  return phrases;
}

}  // namespace agentrun::landlock
