#pragma once
// What a shared object says about itself, read from the file's bytes: no code of it runs. The two readers compile
// everywhere. They follow the section and symbol tables, which the loader does not need, so a file can show one thing
// here and do another when loaded: that is no defence against a hostile file (trust.hpp is), it explains honest ones.

#include <string>
#include <vector>

#include "agentrun/result.hpp"
#include "plugins/file_bytes.hpp"

namespace agentrun::host {

struct ModuleImage {
  enum class Format { elf, mach_o };
  enum class Machine { x86_64, arm64, other };

  Format format = Format::elf;
  Machine machine = Machine::other;
  std::string facts;                     ///< content of the facts section; empty: there is none
  std::vector<std::string> descriptors;  ///< exported symbols that start with AGENTRUN_DESCRIPTOR_PREFIX
};

/// By the first bytes. The message of a failure continues "the file …".
[[nodiscard]] Result<ModuleImage> read_image(const ByteSource& file);

/// System V ABI, 64 bit, little endian.
[[nodiscard]] Result<ModuleImage> read_elf(const ByteSource& file);

/// 64 bit; of a universal file the part for `machine`.
[[nodiscard]] Result<ModuleImage> read_mach_o(const ByteSource& file, ModuleImage::Machine machine);

/// The one agentrun itself was built for.
[[nodiscard]] ModuleImage::Machine native_machine() noexcept;

[[nodiscard]] const char* to_string(ModuleImage::Format format) noexcept;
[[nodiscard]] const char* to_string(ModuleImage::Machine machine) noexcept;

}  // namespace agentrun::host
