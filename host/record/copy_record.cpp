#include "record/copy_record.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "agentrun/text.hpp"
#include "session/opened_directory.hpp"
#include "session/remove_tree.hpp"
#include "system/file.hpp"

namespace agentrun::host {
namespace {

struct CloseDirectory {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

tl::unexpected<Error> cannot_copy(const std::string& name, const std::string& why) {
  // The agent chose the name: it may hold escape sequences for the terminal that shows the message.
  return failure(ErrorCode::io,
                 "'" + summary_line(to_utf8(name)) + "' of the session's record cannot be copied: " + why,
                 "Check the space and the permissions of the directory of --session-dir");
}

tl::unexpected<Error> too_large(const std::string& what) {
  return failure(ErrorCode::io, "the session's record " + what,
                 "Remove what the agent put there, or start a new session");
}

class RecordCopier {
 public:
  explicit RecordCopier(const RecordLimits& limits) : limits_(limits) {}

  [[nodiscard]] std::size_t files() const noexcept { return files_; }

  Result<void> directory(int from, int to, std::size_t depth) {
    Descriptor copy(::openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const std::unique_ptr<DIR, CloseDirectory> stream(copy.valid() ? ::fdopendir(copy.get()) : nullptr);
    if (!stream) return cannot_copy(".", system_text(errno));
    static_cast<void>(copy.release());
    while (const dirent* found = ::readdir(stream.get())) {
      const std::string name = found->d_name;
      if (name == "." || name == "..") continue;
      if (auto copied = entry(from, to, name, depth); !copied) return copied;
    }
    return {};
  }

  Result<void> entry(int from, int to, const std::string& name, std::size_t depth) {
    struct stat facts {};
    if (::fstatat(from, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) return {};
      return cannot_copy(name, system_text(errno));
    }
    if (S_ISREG(facts.st_mode)) return file(from, to, name);
    if (!S_ISDIR(facts.st_mode)) return {};
    if (depth == limits_.depth) return too_large("has directories more than " + std::to_string(depth) + " deep");
    const Descriptor below = open_subdirectory(from, name.c_str());
    if (!below.valid()) {
      if (errno == EXDEV || errno == ELOOP || errno == ENOTDIR || errno == ENOENT) return {};
      return cannot_copy(name, system_text(errno));
    }
    if (::mkdirat(to, name.c_str(), S_IRWXU) != 0 && errno != EEXIST) return cannot_copy(name, system_text(errno));
    const Descriptor target = open_subdirectory(to, name.c_str());
    if (!target.valid()) return cannot_copy(name, system_text(errno));
    return directory(below.get(), target.get(), depth + 1);
  }

 private:
  Result<void> file(int from, int to, const std::string& name) {
    // O_NONBLOCK: a pipe put in the place of the file would hang.
    const Descriptor source(::openat(from, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat facts {};
    if (!source.valid() || ::fstat(source.get(), &facts) != 0) return cannot_copy(name, system_text(errno));
    if (!S_ISREG(facts.st_mode)) return {};
    if (++files_ > limits_.files) return too_large("has more than " + std::to_string(limits_.files) + " files");

    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    Descriptor target(::openat(to, name.c_str(), flags, S_IRUSR | S_IWUSR));
    if (!target.valid() && errno == EEXIST && ::unlinkat(to, name.c_str(), 0) == 0) {
      target = Descriptor(::openat(to, name.c_str(), flags, S_IRUSR | S_IWUSR));
    }
    if (!target.valid()) return cannot_copy(name, system_text(errno));
    if (auto copied = content(source.get(), target.get(), name); !copied) return copied;
    const std::array<timespec, 2> times{facts.st_atim, facts.st_mtim};
    static_cast<void>(::futimens(target.get(), times.data()));
    return {};
  }

  /// Counts what it reads: the size that the file had before means nothing.
  Result<void> content(int source, int target, const std::string& name) {
    std::array<char, std::size_t{64} * 1024> chunk{};
    for (;;) {
      const ssize_t count = ::read(source, chunk.data(), chunk.size());
      if (count == 0) return {};
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return cannot_copy(name, system_text(errno));
      bytes_ += static_cast<std::uint64_t>(count);
      if (bytes_ > limits_.bytes) return too_large("is over " + std::to_string(limits_.bytes >> 20U) + " MiB");
      const int error = write_all(target, {chunk.data(), static_cast<std::size_t>(count)});
      if (error != 0) return cannot_copy(name, system_text(error));
    }
  }

  const RecordLimits limits_;
  std::uint64_t bytes_ = 0;
  std::size_t files_ = 0;
};

}  // namespace

Result<std::size_t> copy_record(const std::filesystem::path& from, const std::vector<std::string>& entries,
                                const std::filesystem::path& to, const RecordLimits& limits) {
  const Descriptor source = open_directory(from);
  if (!source.valid()) {
    if (errno == ENOENT) return std::size_t{0};
    return cannot_copy(from.native(), system_text(errno));
  }
  const Descriptor target = open_directory(to);
  if (!target.valid()) return cannot_copy(to.native(), system_text(errno));
  RecordCopier copier(limits);
  if (entries.empty()) {
    if (auto copied = copier.directory(source.get(), target.get(), 0); !copied) return tl::unexpected(copied.error());
  }
  for (const std::string& name : entries) {
    if (auto copied = copier.entry(source.get(), target.get(), name, 0); !copied) return tl::unexpected(copied.error());
  }
  return copier.files();
}

}  // namespace agentrun::host
