#pragma once
// Files that exist in memory only.

#include <string>

#include "plugins/file_bytes.hpp"
#include "temp_dir.hpp"

namespace agentrun::host {

class MemoryBytes final : public ByteSource {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
    if (offset > bytes_.size() || length > bytes_.size() - offset) return std::nullopt;
    return bytes_.substr(offset, length);
  }

 private:
  std::string bytes_;
};

inline std::string fixture_bytes(const std::string& name) {
  return testing::read_file(std::filesystem::path(AGENTRUN_FIXTURES) / ("agentrun-" + name + ".so"));
}

}  // namespace agentrun::host
