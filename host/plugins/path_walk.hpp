#pragma once
// The way from "/" to a file, link by link: everything that could be exchanged to make the path lead elsewhere.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agentrun/result.hpp"

namespace agentrun::host {

/// What lstat(2) says about one path.
struct PathFacts {
  enum class Type { directory, file, link, other };

  std::filesystem::path path;
  Type type = Type::other;
  std::uint32_t owner = 0;
  std::uint32_t mode = 0;             ///< permission bits, 07777
  std::filesystem::path link_target;  ///< of a link, as written in it
};

/// The seam between decisions and the machine.
class PathReader {
 public:
  [[nodiscard]] virtual Result<PathFacts> read(const std::filesystem::path& path) const = 0;

 protected:
  ~PathReader() = default;
};

class SystemPathReader final : public PathReader {
 public:
  [[nodiscard]] Result<PathFacts> read(const std::filesystem::path& path) const override;
};

struct PathWalk {
  std::vector<PathFacts> steps;  ///< "/" first; each directory, link and file on the way, the real file last
  std::filesystem::path real;    ///< without links, "." and ".."
};

/// Follows `path`, which is absolute. Each step is read through the ones before it, so once the steps are found to be
/// closed to others, what later steps showed cannot be exchanged any more.
[[nodiscard]] Result<PathWalk> walk(const PathReader& reader, const std::filesystem::path& path);

}  // namespace agentrun::host
