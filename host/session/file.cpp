#include "session/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace agentrun::host {

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  const FileHandle old(std::exchange(descriptor_, other.release()));
  return *this;
}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string error_text(int error) { return std::generic_category().message(error); }

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

Result<void> write_file(const std::filesystem::path& path, std::string_view content, std::uint32_t mode) {
  const auto refuse = [&](int error) {
    return failure(ErrorCode::io, path.string() + " cannot be written: " + error_text(error),
                   "Check the space and the permissions of its directory");
  };
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return refuse(errno);
  int error = ::fchmod(file.get(), static_cast<mode_t>(mode)) == 0 ? 0 : errno;
  if (error == 0) error = write_all(file.get(), content);
  if (error == 0) return {};
  ::unlink(path.c_str());
  return refuse(error);
}

}  // namespace agentrun::host
