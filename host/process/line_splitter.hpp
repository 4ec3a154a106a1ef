#pragma once
// Cuts a stream of bytes into lines, in place and with readable bytes behind each line for a SIMD parser.

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace agentrun::host {

class LineSplitter {
 public:
  /// A line longer than this is left out: nothing a runtime prints is worth more memory.
  static constexpr std::size_t line_limit = std::size_t{128} << 20;

  explicit LineSplitter(std::size_t padding) : padding_(padding), buffer_(initial + padding) {}

  /// Calls `line(std::string_view)` for each line that `bytes` completes, without its newline.
  template <class Line>
  void feed(std::string_view bytes, Line&& line) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const bool complete = end != std::string_view::npos;
      append(bytes.substr(0, complete ? end : bytes.size()));
      if (!complete) return;
      finish(line);
      bytes.remove_prefix(end + 1);
    }
  }

  /// The last line, when it has no newline. Also ends a line within feed().
  template <class Line>
  void finish(Line&& line) {
    if (skipping_) {
      ++skipped_;
    } else if (used_ > 0) {
      line(std::string_view(buffer_.data(), used_));
    }
    used_ = 0;
    skipping_ = false;
    if (buffer_.size() > keep + padding_) buffer_ = std::vector<char>(initial + padding_);
  }

  /// Lines left out because of their length.
  [[nodiscard]] std::size_t skipped() const noexcept { return skipped_; }

 private:
  static constexpr std::size_t initial = std::size_t{64} << 10;
  static constexpr std::size_t keep = std::size_t{1} << 20;

  void append(std::string_view bytes) {
    if (skipping_) return;
    if (used_ + bytes.size() > line_limit) {
      skipping_ = true;
      return;
    }
    if (used_ + bytes.size() + padding_ > buffer_.size()) buffer_.resize(2 * (used_ + bytes.size()) + padding_);
    std::memcpy(buffer_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }

  std::size_t padding_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t skipped_ = 0;
  bool skipping_ = false;
};

}  // namespace agentrun::host
