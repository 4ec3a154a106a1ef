#include "agentrun/plugin.hpp"
#include "plugins/module_image.hpp"

namespace agentrun::host {
namespace {

constexpr std::uint64_t header_size = 64;
constexpr std::uint64_t section_size = 64;
constexpr std::uint64_t symbol_size = 24;
constexpr std::uint64_t shared_object = 3;      // ET_DYN
constexpr std::uint64_t dynamic_symbols = 11;   // SHT_DYNSYM
constexpr std::uint64_t no_bits = 8;            // SHT_NOBITS
constexpr std::uint64_t undefined_section = 0;  // SHN_UNDEF
constexpr std::uint64_t local_binding = 0;      // STB_LOCAL
constexpr std::uint64_t machine_x86_64 = 62;    // EM_X86_64
constexpr std::uint64_t machine_aarch64 = 183;  // EM_AARCH64

tl::unexpected<Error> cut_short() {
  return failure(ErrorCode::plugin, "is cut short or damaged", "Install the plugin again");
}

struct Section {
  std::uint64_t name;
  std::uint64_t type;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t link;
};

Section section_at(std::string_view table, std::size_t index) noexcept {
  const std::size_t at = index * section_size;
  return {.name = little_endian(table, at, 4),
          .type = little_endian(table, at + 4, 4),
          .offset = little_endian(table, at + 24, 8),
          .size = little_endian(table, at + 32, 8),
          .link = little_endian(table, at + 40, 4)};
}

std::vector<std::string> descriptors_in(std::string_view symbols, std::string_view names) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at + symbol_size <= symbols.size(); at += symbol_size) {
    const std::uint64_t binding = little_endian(symbols, at + 4, 1) >> 4U;
    if (binding == local_binding || little_endian(symbols, at + 6, 2) == undefined_section) continue;
    const auto name = c_string_at(names, little_endian(symbols, at, 4));
    if (name && name->starts_with(AGENTRUN_DESCRIPTOR_PREFIX)) found.emplace_back(*name);
  }
  return found;
}

ModuleImage::Machine machine_of(std::uint64_t number) noexcept {
  if (number == machine_x86_64) return ModuleImage::Machine::x86_64;
  if (number == machine_aarch64) return ModuleImage::Machine::arm64;
  return ModuleImage::Machine::other;
}

}  // namespace

Result<ModuleImage> read_elf(const ByteSource& file) {
  const auto header = file.read(0, header_size);
  if (!header) return cut_short();
  if ((*header)[4] != 2 || (*header)[5] != 1 || little_endian(*header, 16, 2) != shared_object) {
    return failure(ErrorCode::plugin, "is not a 64-bit shared object", "Build the plugin as a shared object");
  }
  ModuleImage image{.format = ModuleImage::Format::elf,
                    .machine = machine_of(little_endian(*header, 18, 2)),
                    .facts = {},
                    .descriptors = {}};

  const std::uint64_t count = little_endian(*header, 60, 2);
  const std::uint64_t names_index = little_endian(*header, 62, 2);
  if (little_endian(*header, 58, 2) != section_size || names_index >= count) return cut_short();
  const auto table = file.read(little_endian(*header, 40, 8), count * section_size);
  if (!table) return cut_short();
  const Section names_section = section_at(*table, names_index);
  const auto names = file.read(names_section.offset, names_section.size);
  if (!names) return cut_short();

  for (std::size_t i = 0; i < count; ++i) {
    const Section section = section_at(*table, i);
    if (section.type == dynamic_symbols && section.link < count) {
      const Section strings = section_at(*table, section.link);
      const auto symbol_bytes = file.read(section.offset, section.size);
      const auto string_bytes = file.read(strings.offset, strings.size);
      if (!symbol_bytes || !string_bytes) return cut_short();
      image.descriptors = descriptors_in(*symbol_bytes, *string_bytes);
    } else if (section.type != no_bits && c_string_at(*names, section.name) == std::string_view(".agentrun")) {
      auto facts = file.read(section.offset, section.size);
      if (!facts) return cut_short();
      image.facts = std::move(*facts);
    }
  }
  return image;
}

}  // namespace agentrun::host
