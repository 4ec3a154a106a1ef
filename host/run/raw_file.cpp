#include "run/raw_file.hpp"

#include <fcntl.h>

#include <cerrno>

namespace agentrun::host {

Result<RawFile> RawFile::create(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600));
  if (!file.valid()) {
    return failure(ErrorCode::io, "--raw " + path.string() + ": cannot be created (" + system_text(errno) + ")",
                   "Name a file in a directory that you may write");
  }
  return RawFile(path, std::move(file));
}

std::optional<std::string> RawFile::write(std::string_view bytes) {
  while (file_.valid() && !bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      std::string note = "raw output is incomplete: " + path_.string() + " (" + system_text(errno) + ")";
      file_.reset();
      return note;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

}  // namespace agentrun::host
