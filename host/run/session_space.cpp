#include "run/session_space.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace agentrun::host {
namespace {

/// Only for texts: facts show it as <tempdir>.
constexpr const char* imagined_name = "agentrun-<random>";

Result<void> no_home(const PrivateHome& home, int error) {
  return failure(ErrorCode::io, "the " + home.name + " cannot be made (" + system_text(error) + ")",
                 "Set TMPDIR to a directory that you can write, on a disk with space left");
}

}  // namespace

Result<SessionSpace> SessionSpace::make(const SessionOptions& options, const Caller& caller) {
  SessionSpace space;
  if (options.dry_run) {
    space.parent_ = SessionDirectory::parent_for(caller.environment);
    space.path_ = space.parent_ / imagined_name;
    return space;
  }
  remove_abandoned(SessionDirectory::parent_for(caller.environment));
  auto directory = SessionDirectory::create(caller.environment);
  if (!directory) return tl::unexpected(directory.error());
  space.parent_ = directory->parent();
  space.path_ = directory->path();
  space.directory_ = std::move(*directory);
  if (options.debug) {
    if (auto kept = space.directory_->keep(); !kept) return tl::unexpected(kept.error());
  }
  return space;
}

Result<void> SessionSpace::remove() { return directory_ ? directory_->remove() : Result<void>(); }

Result<std::filesystem::path> SessionSpace::make_home(const PrivateHome& home) {
  if (!directory_) {
    return home.beside ? parent_ / (std::string(imagined_name) + "-" + home.directory) : path_ / home.directory;
  }
  if (home.beside) return directory_->companion(home.directory);
  std::filesystem::path path = path_ / home.directory;
  if (::mkdir(path.c_str(), S_IRWXU) != 0) return tl::unexpected(no_home(home, errno).error());
  return path;
}

Result<std::vector<std::filesystem::path>> SessionSpace::make_homes(const std::vector<PrivateHome>& homes) {
  std::vector<std::filesystem::path> paths;
  for (const PrivateHome& home : homes) {
    auto path = make_home(home);
    if (!path) return tl::unexpected(path.error());
    for (const PrivateHome::Link& link : home.links) {
      if (!directory_ || ::symlink(link.target.c_str(), (*path / link.name).c_str()) == 0) continue;
      return tl::unexpected(no_home(home, errno).error());
    }
    paths.push_back(std::move(*path));
  }
  return paths;
}

}  // namespace agentrun::host
