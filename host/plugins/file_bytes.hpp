#pragma once
// Bytes of a file that may be cut short or hostile: every read is checked against its size.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/result.hpp"

namespace agentrun::host {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// Nothing when the bytes are not all there, or more than `most_bytes`.
  [[nodiscard]] virtual std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const = 0;

  /// No table of a plugin is that long; a file that claims so does not get the memory.
  static constexpr std::uint64_t most_bytes = 64U << 20U;
};

/// An open regular file. Not mapped into memory: a file that is cut while it is read must not end the process.
class FileBytes final : public ByteSource {
 public:
  /// `path` without links: a link as its last component is refused, and so is everything but a regular file.
  [[nodiscard]] static Result<FileBytes> open(const std::filesystem::path& path);

  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&&) = delete;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override;

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const override;

 private:
  FileBytes(int descriptor, std::uint64_t size) noexcept : descriptor_(descriptor), size_(size) {}

  int descriptor_;
  std::uint64_t size_;
};

/// The number of `width` bytes at `offset`, least significant byte first; 0 beyond the end.
[[nodiscard]] std::uint64_t little_endian(std::string_view bytes, std::size_t offset, std::size_t width) noexcept;
[[nodiscard]] std::uint64_t big_endian(std::string_view bytes, std::size_t offset, std::size_t width) noexcept;

/// Up to the next NUL; nothing when there is none.
[[nodiscard]] std::optional<std::string_view> c_string_at(std::string_view bytes, std::uint64_t offset) noexcept;

}  // namespace agentrun::host
