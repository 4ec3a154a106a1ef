#include "plugins/module_image.hpp"

namespace agentrun::host {
namespace {

constexpr std::string_view elf_magic =
    "\x7f"
    "ELF";
constexpr std::uint64_t mach_o_magic = 0xfeedfacf;
constexpr std::uint64_t universal_magic = 0xcafebabe;

}  // namespace

Result<ModuleImage> read_image(const ByteSource& file) {
  if (file.size() == 0) return failure(ErrorCode::plugin, "is empty");
  const auto magic = file.read(0, 4);
  if (magic && *magic == elf_magic) return read_elf(file);
  if (magic && (little_endian(*magic, 0, 4) == mach_o_magic || big_endian(*magic, 0, 4) == universal_magic)) {
    return read_mach_o(file, native_machine());
  }
  return failure(ErrorCode::plugin, "is not a shared object");
}

ModuleImage::Machine native_machine() noexcept {
#if defined(__x86_64__)
  return ModuleImage::Machine::x86_64;
#elif defined(__aarch64__)
  return ModuleImage::Machine::arm64;
#else
  return ModuleImage::Machine::other;
#endif
}

const char* to_string(ModuleImage::Format format) noexcept {
  return format == ModuleImage::Format::elf ? "Linux" : "macOS";
}

const char* to_string(ModuleImage::Machine machine) noexcept {
  switch (machine) {
    case ModuleImage::Machine::x86_64:
      return "x86-64";
    case ModuleImage::Machine::arm64:
      return "arm64";
    case ModuleImage::Machine::other:
      return "another processor";
  }
  return "another processor";
}

}  // namespace agentrun::host
