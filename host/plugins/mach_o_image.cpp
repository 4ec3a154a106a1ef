#include <algorithm>
#include <utility>

#include "agentrun/plugin.hpp"
#include "plugins/module_image.hpp"

namespace agentrun::host {
namespace {

// Numbers from <mach-o/loader.h>, <mach-o/nlist.h> and <mach-o/fat.h>.
constexpr std::uint64_t universal_magic = 0xcafebabe;
constexpr std::uint64_t header_size = 32;
constexpr std::uint64_t dynamic_library = 6;
constexpr std::uint64_t bundle = 8;
constexpr std::uint64_t symbol_table_command = 0x2;
constexpr std::uint64_t segment_command = 0x19;
constexpr std::size_t segment_size = 72;
constexpr std::size_t section_size = 80;
constexpr std::size_t symbol_size = 16;
constexpr std::uint64_t universal_entry_size = 20;
constexpr std::uint64_t most_universal_entries = 16;
constexpr std::uint64_t external_symbol = 0x01;
constexpr std::uint64_t private_external_symbol = 0x10;
constexpr std::uint64_t symbol_type_mask = 0x0e;
constexpr std::uint64_t debug_symbol_mask = 0xe0;

tl::unexpected<Error> cut_short() {
  return failure(ErrorCode::plugin, "is cut short or damaged", "Install the plugin again");
}

ModuleImage::Machine machine_of(std::uint64_t cpu_type) noexcept {
  if (cpu_type == 0x01000007) return ModuleImage::Machine::x86_64;
  if (cpu_type == 0x0100000c) return ModuleImage::Machine::arm64;
  return ModuleImage::Machine::other;
}

/// One processor's part of a universal file.
class Part final : public ByteSource {
 public:
  Part(const ByteSource& whole, std::uint64_t offset, std::uint64_t size) noexcept
      : whole_(whole), offset_(offset), size_(size) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
    if (offset > size_ || length > size_ - offset) return std::nullopt;
    return whole_.read(offset_ + offset, length);
  }

 private:
  const ByteSource& whole_;
  std::uint64_t offset_;
  std::uint64_t size_;
};

std::optional<Part> part_for(const ByteSource& file, ModuleImage::Machine machine) {
  const auto header = file.read(0, 8);
  if (!header || big_endian(*header, 0, 4) != universal_magic) return Part(file, 0, file.size());
  const std::uint64_t count = std::min(big_endian(*header, 4, 4), most_universal_entries);
  const auto entries = file.read(8, count * universal_entry_size);
  if (!entries) return std::nullopt;
  for (std::size_t at = 0; at < entries->size(); at += universal_entry_size) {
    if (machine_of(big_endian(*entries, at, 4)) == machine) {
      return Part(file, big_endian(*entries, at + 8, 4), big_endian(*entries, at + 12, 4));
    }
  }
  return std::nullopt;
}

/// A name in a field of 16 bytes, without NUL when it fills them.
std::string_view fixed_name(std::string_view bytes, std::size_t offset) noexcept {
  const std::string_view field = bytes.substr(std::min(offset, bytes.size()), 16);
  return field.substr(0, field.find('\0'));
}

std::optional<std::string> facts_in(const ByteSource& file, std::string_view segment) {
  const std::size_t count = static_cast<std::size_t>(little_endian(segment, 64, 4));
  for (std::size_t i = 0; i < count && segment_size + (i + 1) * section_size <= segment.size(); ++i) {
    const std::size_t at = segment_size + i * section_size;
    if (fixed_name(segment, at) == "agentrun" && fixed_name(segment, at + 16) == "__DATA") {
      return file.read(little_endian(segment, at + 48, 4), little_endian(segment, at + 40, 8));
    }
  }
  return std::string();
}

std::optional<std::vector<std::string>> descriptors_in(const ByteSource& file, std::string_view command) {
  const auto symbols = file.read(little_endian(command, 8, 4), little_endian(command, 12, 4) * symbol_size);
  const auto names = file.read(little_endian(command, 16, 4), little_endian(command, 20, 4));
  if (!symbols || !names) return std::nullopt;
  std::vector<std::string> found;
  for (std::size_t at = 0; at < symbols->size(); at += symbol_size) {
    const std::uint64_t type = little_endian(*symbols, at + 4, 1);
    const bool exported = (type & external_symbol) != 0 && (type & private_external_symbol) == 0;
    const bool defined = (type & symbol_type_mask) != 0 && (type & debug_symbol_mask) == 0;
    if (!exported || !defined) continue;
    const auto name = c_string_at(*names, little_endian(*symbols, at, 4));
    // The compiler puts '_' in front of every C name.
    if (name && name->starts_with("_" AGENTRUN_DESCRIPTOR_PREFIX)) found.emplace_back(name->substr(1));
  }
  return found;
}

}  // namespace

Result<ModuleImage> read_mach_o(const ByteSource& whole, ModuleImage::Machine machine) {
  const auto file = part_for(whole, machine);
  if (!file) return failure(ErrorCode::plugin, "has no part for this processor", "Install the plugin for this machine");
  const auto header = file->read(0, header_size);
  if (!header) return cut_short();
  const std::uint64_t type = little_endian(*header, 12, 4);
  if (type != bundle && type != dynamic_library) {
    return failure(ErrorCode::plugin, "is not a shared object", "Build the plugin as a shared object");
  }
  ModuleImage image{.format = ModuleImage::Format::mach_o,
                    .machine = machine_of(little_endian(*header, 4, 4)),
                    .facts = {},
                    .descriptors = {}};

  const auto commands = file->read(header_size, little_endian(*header, 20, 4));
  if (!commands) return cut_short();
  std::string_view rest = *commands;
  while (rest.size() >= 8) {
    const std::uint64_t kind = little_endian(rest, 0, 4);
    const std::uint64_t length = little_endian(rest, 4, 4);
    if (length < 8 || length > rest.size()) return cut_short();
    const std::string_view command = rest.substr(0, static_cast<std::size_t>(length));
    if (kind == segment_command) {
      auto facts = facts_in(*file, command);
      if (!facts) return cut_short();
      if (!facts->empty()) image.facts = std::move(*facts);
    } else if (kind == symbol_table_command) {
      auto descriptors = descriptors_in(*file, command);
      if (!descriptors) return cut_short();
      image.descriptors = std::move(*descriptors);
    }
    rest.remove_prefix(command.size());
  }
  return image;
}

}  // namespace agentrun::host
