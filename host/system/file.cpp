#include "system/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace agentrun::host {

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
    return failure(ErrorCode::io, path.string() + " cannot be written: " + system_text(error),
                   "Check the space and the permissions of its directory");
  };
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return refuse(errno);
  int error = ::fchmod(file.get(), static_cast<mode_t>(mode)) == 0 ? 0 : errno;
  if (error == 0) error = write_all(file.get(), content);
  if (error == 0) return {};
  ::unlink(path.c_str());
  return refuse(error);
}

Result<Descriptor> memory_file(std::string_view content) {
  const auto refuse = [](int error) {
    return failure(ErrorCode::io, "no temporary file (" + system_text(error) + ")", "Free memory");
  };
  // tmpfile(3) works on every platform; the copy closes on exec.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  if (!file) return refuse(errno);
  Descriptor copy(::fcntl(::fileno(file.get()), F_DUPFD_CLOEXEC, 3));
  if (!copy.valid()) return refuse(errno);
  if (const int error = write_all(copy.get(), content); error != 0) return refuse(error);
  if (::lseek(copy.get(), 0, SEEK_SET) != 0) return refuse(errno);
  return copy;
}

}  // namespace agentrun::host
