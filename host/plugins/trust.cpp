#include "plugins/trust.hpp"
#include "plugins/plugin_text.hpp"

#include <algorithm>
#include <string>

#include "agentrun/path.hpp"
#include "agentrun/text.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t group_writes = 0020;
constexpr std::uint32_t others_write = 0002;
constexpr std::uint32_t sticky = 01000;
constexpr const char* good_place = "for example ~/.local/share/agentrun/plugins";

bool is_open(const PathFacts& facts) noexcept {
  return facts.type != PathFacts::Type::link && (facts.mode & (group_writes | others_write)) != 0;
}

bool is_shared_by_root(const PathFacts& facts) noexcept {
  return facts.type == PathFacts::Type::directory && facts.owner == 0 && (facts.mode & sticky) != 0;
}

// In a sticky directory only an entry's owner can exchange it, and the next step says who that is. Not so right beside
// the file: there, others could hard-link an old plugin of the user's under a name that is looked for.
bool may_stay_open(const PathFacts& facts, const PathWalk& walk) {
  return is_shared_by_root(facts) && facts.path != walk.real.parent_path();
}

std::string chmod_command(const PathWalk& walk, std::uint32_t user) {
  std::vector<std::string> argv = {"chmod", "go-w"};
  for (const PathFacts& step : walk.steps) {
    if (!is_open(step) || may_stay_open(step, walk)) continue;
    if (step.owner != user && argv.front() != "sudo") argv.insert(argv.begin(), "sudo");
    if (std::ranges::find(argv, step.path.string()) == argv.end()) argv.push_back(step.path.string());
  }
  return shell_quote(argv);
}

tl::unexpected<Error> open_to_others(const PathFacts& step, const PathWalk& walk, std::uint32_t user) {
  std::string message = quoted(step.path) + " can be written by " +
                        ((step.mode & others_write) != 0 ? "every user" : "its group") +
                        ", who could exchange the plugin";
  if (is_shared_by_root(step)) {
    return failure(ErrorCode::untrusted, std::move(message),
                   std::string("Move the plugin to a directory of its own, ") + good_place);
  }
  return failure(ErrorCode::untrusted, std::move(message), "Run: " + chmod_command(walk, user));
}

}  // namespace

Result<void> judge_steps(const PathWalk& walk, std::uint32_t user) {
  for (const PathFacts& step : walk.steps) {
    // Attack: another user owns the file, or a directory or link on the way, and puts code of theirs there.
    if (step.owner != 0 && step.owner != user) {
      return failure(
          ErrorCode::untrusted,
          quoted(step.path) + " belongs to user " + std::to_string(step.owner) + ", who could exchange the plugin",
          std::string("Install the plugin where only root or you can write, ") + good_place);
    }
    // Attack: somebody in the group, or anybody, overwrites the file or renames another one into its place.
    if (is_open(step) && !may_stay_open(step, walk)) return open_to_others(step, walk, user);
  }
  // Attack: a device or a pipe that shows other bytes to the loader than it showed to the checks.
  if (walk.steps.back().type != PathFacts::Type::file) {
    return failure(ErrorCode::untrusted, quoted(walk.real) + " is not a regular file", "Put the plugin's file there");
  }
  return {};
}

Result<void> judge_place(const PathWalk& walk, const std::vector<fs::path>& writable) {
  for (const PathFacts& step : walk.steps) {
    if (step.type != PathFacts::Type::file && step.type != PathFacts::Type::link) continue;
    for (const fs::path& directory : writable) {
      // Attack: the agent writes a plugin, or a link to one, and the next run loads it outside the sandbox.
      if (contains(directory, step.path.parent_path())) {
        return failure(
            ErrorCode::untrusted,
            quoted(step.path) + " lies in " + quoted(directory) +
                ", where the agent may write: it could plant code that runs outside the sandbox",
            std::string("Move the plugin out of there, ") + good_place + ", or choose another working directory");
      }
    }
  }
  return {};
}

}  // namespace agentrun::host
