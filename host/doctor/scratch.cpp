#include "doctor/scratch.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "system/file.hpp"

namespace agentrun::host {

Result<Scratch> Scratch::make(const Environment& caller) {
  auto directory = SessionDirectory::create(caller);
  if (!directory) return tl::unexpected(directory.error());
  return Scratch(std::move(*directory));
}

Result<std::filesystem::path> Scratch::directory(const std::string& name) const {
  std::filesystem::path made = path() / name;
  if (::mkdir(made.c_str(), S_IRWXU) == 0) return made;
  return failure(ErrorCode::io, "cannot make the directory " + made.string() + " (" + system_text(errno) + ")",
                 "Set TMPDIR to a directory that you can write, on a disk with space left");
}

Result<std::filesystem::path> Scratch::file(const std::string& name, const std::string& content) const {
  std::filesystem::path made = path() / name;
  if (auto written = write_file(made, content); !written) return tl::unexpected(written.error());
  return made;
}

}  // namespace agentrun::host
