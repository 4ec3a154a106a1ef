#pragma once
// --raw: the runtime's standard output as it came.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "agentrun/result.hpp"
#include "system/descriptor.hpp"

namespace agentrun::host {

class RawFile {
 public:
  /// Replaces what is there. Readable by its owner only: an agent's output may hold anything.
  [[nodiscard]] static Result<RawFile> create(const std::filesystem::path& path);

  /// The first failed write ends the writing, not the run: returns the note to emit for it.
  [[nodiscard]] std::optional<std::string> write(std::string_view bytes);

 private:
  RawFile(std::filesystem::path path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace agentrun::host
