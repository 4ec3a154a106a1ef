#pragma once
// Descriptors and whole files, for the sources of this room.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "agentrun/result.hpp"

namespace agentrun::host {

/// Owns a descriptor; -1 is none.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) noexcept : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  /// Closes what it had.
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle();

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_ = -1;
};

/// The operating system's text for an errno value.
[[nodiscard]] std::string error_text(int error);

/// 0, or the errno value of the write that failed.
[[nodiscard]] int write_all(int descriptor, std::string_view bytes);

/// Makes a new file with exactly this mode. Refused when something has that name, a dangling link too: what the
/// agent may have put there is neither followed nor overwritten.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view content,
                                      std::uint32_t mode = 0600);

}  // namespace agentrun::host
