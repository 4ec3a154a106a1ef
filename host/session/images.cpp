#include "session/images.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "agentrun/path.hpp"
#include "system/file.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t head_size = 12;

/// The extension for what the first bytes say; empty when they say nothing known.
std::string_view extension_of(std::string_view head) {
  if (head.starts_with("\x89PNG\r\n\x1a\n"sv)) return "png";
  if (head.starts_with("\xff\xd8\xff"sv)) return "jpg";
  if (head.starts_with("GIF87a"sv) || head.starts_with("GIF89a"sv)) return "gif";
  if (head.starts_with("RIFF"sv) && head.size() >= head_size && head.substr(8, 4) == "WEBP"sv) return "webp";
  return {};
}

tl::unexpected<Error> refuse(const fs::path& image, const std::string& why) {
  return failure(ErrorCode::usage, "--image " + image.string() + ": " + why,
                 "Give a file that is PNG, JPEG, GIF or WebP");
}

struct OpenImage {
  Descriptor file;  ///< at its beginning
  std::string_view extension;
};

Result<OpenImage> open_image(const fs::path& path, const fs::path& written) {
  // O_NONBLOCK: a FIFO without a writer would hang.
  OpenImage image{Descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)), {}};
  if (!image.file.valid()) return refuse(written, system_text(errno));
  struct stat facts {};
  if (::fstat(image.file.get(), &facts) != 0) return refuse(written, system_text(errno));
  if (!S_ISREG(facts.st_mode)) return refuse(written, "not a regular file");
  std::array<char, head_size> head{};
  const ssize_t count = ::pread(image.file.get(), head.data(), head.size(), 0);
  if (count < 0) return refuse(written, system_text(errno));
  image.extension = extension_of({head.data(), static_cast<std::size_t>(count)});
  if (image.extension.empty()) return refuse(written, "its first bytes are not those of an image");
  return image;
}

/// 0, or the errno value of what failed.
int copy_bytes(int from, int to) {
  std::array<char, std::size_t{64} * 1024> chunk{};
  for (;;) {
    const ssize_t count = ::read(from, chunk.data(), chunk.size());
    if (count == 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
    if (count < 0) continue;
    if (const int error = write_all(to, {chunk.data(), static_cast<std::size_t>(count)}); error != 0) return error;
  }
}

}  // namespace

Result<std::vector<fs::path>> check_images(const std::vector<fs::path>& images, const fs::path& cwd) {
  std::vector<fs::path> checked;
  for (const auto& image : images) {
    fs::path path = absolute_from(cwd, image);
    if (auto opened = open_image(path, image); !opened) return tl::unexpected(std::move(opened.error()));
    checked.push_back(std::move(path));
  }
  return checked;
}

Result<std::vector<fs::path>> copy_images(const std::vector<fs::path>& images, const fs::path& session_directory) {
  std::vector<fs::path> copies;
  for (const auto& image : images) {
    const auto opened = open_image(image, image);
    if (!opened) return tl::unexpected(opened.error());
    fs::path path =
        session_directory / ("image-" + std::to_string(copies.size() + 1) + "." + std::string(opened->extension));
    const Descriptor copy(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    const int error = copy.valid() ? copy_bytes(opened->file.get(), copy.get()) : errno;
    if (error != 0) {
      return failure(ErrorCode::io,
                     "--image " + image.string() + " cannot be copied to " + path.string() + ": " + system_text(error),
                     "Check the space of the temporary directory");
    }
    copies.push_back(std::move(path));
  }
  return copies;
}

}  // namespace agentrun::host
