#include "plugins/file_bytes.hpp"
#include "plugins/plugin_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace agentrun::host {

Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
  // O_NONBLOCK: a pipe under a plugin's name would make `agentrun plugins` wait for ever.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    return failure(ErrorCode::io, "cannot open " + quoted(path) + ": " + std::generic_category().message(errno),
                   "Make the file readable for you");
  }
  struct stat status {};
  const bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  FileBytes file(descriptor, regular ? static_cast<std::uint64_t>(status.st_size) : 0);
  if (!regular) return failure(ErrorCode::io, quoted(path) + " is not a regular file", "Remove it");
  return file;
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

FileBytes::~FileBytes() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<std::string> FileBytes::read(std::uint64_t offset, std::uint64_t length) const {
  if (length > most_bytes || offset > size_ || length > size_ - offset) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(length), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

std::uint64_t little_endian(std::string_view bytes, std::size_t offset, std::size_t width) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) {
    const auto byte = offset + i < bytes.size() ? static_cast<unsigned char>(bytes[offset + i]) : 0U;
    value = (value << 8U) | byte;
  }
  return value;
}

std::uint64_t big_endian(std::string_view bytes, std::size_t offset, std::size_t width) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const auto byte = offset + i < bytes.size() ? static_cast<unsigned char>(bytes[offset + i]) : 0U;
    value = (value << 8U) | byte;
  }
  return value;
}

std::optional<std::string_view> c_string_at(std::string_view bytes, std::uint64_t offset) noexcept {
  if (offset >= bytes.size()) return std::nullopt;
  bytes.remove_prefix(static_cast<std::size_t>(offset));
  const std::size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  return bytes.substr(0, end);
}

}  // namespace agentrun::host
