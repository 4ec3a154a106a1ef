#include "rollout_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agentrun/runtime.hpp"

namespace agentrun::codex {

namespace {

constexpr std::size_t longest_line = 16U * 1024 * 1024;
constexpr std::size_t largest_file = 256U * 1024 * 1024;
constexpr std::size_t read_size = 256U * 1024;
constexpr int deepest = 4;                    // sessions/YEAR/MONTH/DAY
constexpr std::size_t most_entries = 10'000;  // in all

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool valid() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

Descriptor open_directory(int parent, const char* name) {
  return Descriptor(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::optional<Descriptor> open_regular_file(int parent, const char* name) {
  // O_NONBLOCK: a FIFO of that name must not hold the run up.
  Descriptor file(::openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file.valid() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return file;
}

class Search {
 public:
  explicit Search(std::string_view thread) : suffix_(std::string(thread) + ".jsonl") {}

  [[nodiscard]] std::optional<Descriptor> below(Descriptor directory, int depth) {
    const int fd = directory.release();
    const std::unique_ptr<DIR, CloseDirectory> listing(::fdopendir(fd));
    if (!listing) {
      ::close(fd);
      return std::nullopt;
    }
    while (const dirent* entry = ::readdir(listing.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (++entries_ > most_entries) return std::nullopt;
      if (name.starts_with("rollout-") && name.ends_with(suffix_)) {
        if (auto file = open_regular_file(::dirfd(listing.get()), entry->d_name)) return file;
      } else if (depth < deepest && name.find('.') == std::string_view::npos) {
        Descriptor inner = open_directory(::dirfd(listing.get()), entry->d_name);
        if (!inner.valid()) continue;
        if (auto file = below(std::move(inner), depth + 1)) return file;
      }
    }
    return std::nullopt;
  }

 private:
  std::string suffix_;
  std::size_t entries_ = 0;
};

class LineReader {
 public:
  explicit LineReader(const std::function<void(std::string_view)>& line) : line_(line) {}

  void read(int file) {
    std::size_t total = 0;
    for (;;) {
      buffer_.resize(length_ + read_size + Translator::line_padding);
      const ssize_t count = ::read(file, buffer_.data() + length_, read_size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;
      length_ += static_cast<std::size_t>(count);
      total += static_cast<std::size_t>(count);
      give_lines();
      if (total >= largest_file) return;
    }
  }

 private:
  void give_lines() {
    const std::string_view text(buffer_.data(), length_);
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n', scanned_); end != std::string_view::npos; end = text.find('\n', begin)) {
      if (!skipping_) line_(text.substr(begin, end - begin));
      skipping_ = false;
      begin = end + 1;
    }
    if (length_ - begin > longest_line) {
      skipping_ = true;
      begin = length_;
    }
    buffer_.erase(0, begin);
    length_ -= begin;
    scanned_ = length_;
  }

  const std::function<void(std::string_view)>& line_;
  std::string buffer_;
  std::size_t length_ = 0;   ///< bytes of `buffer_` that were read
  std::size_t scanned_ = 0;  ///< of these, known to hold no newline
  bool skipping_ = false;
};

/// The attack that this stops: a thread id that is a path or matches any file. codex's are UUIDs.
bool is_thread_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 && id.find_first_not_of("0123456789abcdefABCDEF-") == std::string_view::npos;
}

}  // namespace

void read_rollout(const std::filesystem::path& home, std::string_view thread,
                  const std::function<void(std::string_view)>& line) {
  if (!is_thread_id(thread)) return;
  const Descriptor directory = open_directory(AT_FDCWD, home.c_str());
  if (!directory.valid()) return;
  Descriptor sessions = open_directory(directory.get(), "sessions");
  if (!sessions.valid()) return;
  const auto file = Search(thread).below(std::move(sessions), 1);
  if (file) LineReader(line).read(file->get());
}

}  // namespace agentrun::codex
