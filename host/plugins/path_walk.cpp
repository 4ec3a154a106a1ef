#include "plugins/path_walk.hpp"
#include "plugins/plugin_text.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <deque>
#include <system_error>

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as in Linux path_resolution(7)

PathFacts::Type type_of(mode_t mode) noexcept {
  if (S_ISDIR(mode)) return PathFacts::Type::directory;
  if (S_ISREG(mode)) return PathFacts::Type::file;
  if (S_ISLNK(mode)) return PathFacts::Type::link;
  return PathFacts::Type::other;
}

tl::unexpected<Error> cannot_read(const fs::path& path, const std::error_code& error) {
  return failure(ErrorCode::io, "cannot read " + quoted(path) + ": " + error.message(),
                 "Remove the file or the link, or repair what it leads to");
}

void push_in_front(std::deque<fs::path>& pending, const fs::path& path) {
  const fs::path relative = path.relative_path();
  pending.insert(pending.begin(), relative.begin(), relative.end());
}

}  // namespace

Result<PathFacts> SystemPathReader::read(const fs::path& path) const {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return cannot_read(path, {errno, std::generic_category()});
  PathFacts facts{.path = path,
                  .type = type_of(status.st_mode),
                  .owner = status.st_uid,
                  .mode = static_cast<std::uint32_t>(status.st_mode) & 07777U,
                  .link_target = {}};
  if (facts.type == PathFacts::Type::link) {
    std::error_code error;
    facts.link_target = fs::read_symlink(path, error);
    if (error) return cannot_read(path, error);
  }
  return facts;
}

Result<PathWalk> walk(const PathReader& reader, const fs::path& path) {
  auto root = reader.read("/");
  if (!root) return tl::unexpected(std::move(root.error()));
  PathWalk walk{.steps = {std::move(*root)}, .real = "/"};
  std::deque<fs::path> pending;
  push_in_front(pending, path);

  int links = 0;
  while (!pending.empty()) {
    const fs::path name = std::move(pending.front());
    pending.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      walk.real = walk.real.parent_path();
      continue;
    }
    auto step = reader.read(walk.real / name);
    if (!step) return tl::unexpected(std::move(step.error()));
    if (step->type == PathFacts::Type::link) {
      if (++links > most_links)
        return cannot_read(path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
      if (step->link_target.is_absolute()) walk.real = "/";
      push_in_front(pending, step->link_target);
    } else {
      walk.real = step->path;
    }
    walk.steps.push_back(std::move(*step));
  }
  return walk;
}

}  // namespace agentrun::host
