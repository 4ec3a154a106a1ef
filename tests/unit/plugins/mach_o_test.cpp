// Files made by hand, after <mach-o/loader.h>: the reader is compiled and tested on both platforms.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_bytes.hpp"
#include "plugins/module_image.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using Machine = ModuleImage::Machine;

std::string little(std::uint64_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(i < 8 ? (value >> (8 * i)) & 0xffU : 0U);
  return bytes;
}

std::string big(std::uint32_t value) {
  std::string bytes = little(value, 4);
  return {bytes.rbegin(), bytes.rend()};
}

std::string padded(std::string text, std::size_t width) {
  text.resize(width, '\0');
  return text;
}

struct Symbol {
  std::string name;
  unsigned type;
};

/// A bundle with one segment, one section of facts, and a symbol table.
std::string bundle(std::uint32_t cpu, const std::string& facts, const std::vector<Symbol>& symbols) {
  constexpr std::uint64_t segment_length = 72 + 80;
  constexpr std::uint64_t data_at = 32 + segment_length + 24;
  std::string names("\0", 1);
  std::string table;
  for (const Symbol& symbol : symbols) {
    table += little(names.size(), 4) + little(symbol.type, 1) + little(1, 1) + little(0, 2) + little(0, 8);
    names += symbol.name + '\0';
  }
  const std::uint64_t table_at = data_at + facts.size();
  std::string file = little(0xfeedfacf, 4) + little(cpu, 4) + little(0, 4) + little(8, 4) + little(2, 4) +
                     little(segment_length + 24, 4) + little(0, 8);
  file += little(0x19, 4) + little(segment_length, 4) + padded("__DATA", 16) + little(0, 32) + little(0, 8) +
          little(1, 4) + little(0, 4);
  file += padded("agentrun", 16) + padded("__DATA", 16) + little(0, 8) + little(facts.size(), 8) + little(data_at, 4) +
          little(0, 28);
  file += little(0x2, 4) + little(24, 4) + little(table_at, 4) + little(symbols.size(), 4) +
          little(table_at + table.size(), 4) + little(names.size(), 4);
  return file + facts + table + names;
}

const std::vector<Symbol> symbols = {
    {"_agentrun_plugin_v1_x", 0x0f},       // exported
    {"_agentrun_plugin_private", 0x1f},    // private external
    {"_agentrun_plugin_undefined", 0x01},  // of another file
    {"_agentrun_plugin_local", 0x0e},     {"_agentrun_plugin_debug", 0x2f}, {"_main", 0x0f}};
constexpr std::uint32_t arm64 = 0x0100000c;
constexpr std::uint32_t x86_64 = 0x01000007;

TEST(MachOImage, ShowsFactsAndExportedDescriptors) {
  const auto image = read_image(MemoryBytes(bundle(arm64, "the facts", symbols)));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->format, ModuleImage::Format::mach_o);
  EXPECT_EQ(image->machine, Machine::arm64);
  EXPECT_EQ(image->facts, "the facts");
  EXPECT_THAT(image->descriptors, ElementsAre("agentrun_plugin_v1_x"));
}

TEST(MachOImage, OfAUniversalFileIsThePartForTheMachine) {
  const std::string first = bundle(x86_64, "for x86-64", {});
  const std::string second = bundle(arm64, "for arm64", symbols);
  std::string file = big(0xcafebabe) + big(2);
  file += big(x86_64) + big(0) + big(48) + big(static_cast<std::uint32_t>(first.size())) + big(0);
  file += big(arm64) + big(0) + big(static_cast<std::uint32_t>(48 + first.size())) +
          big(static_cast<std::uint32_t>(second.size())) + big(0);
  const MemoryBytes universal(file + first + second);
  EXPECT_EQ(read_mach_o(universal, Machine::x86_64)->facts, "for x86-64");
  EXPECT_EQ(read_mach_o(universal, Machine::arm64)->facts, "for arm64");
  EXPECT_FALSE(read_mach_o(universal, Machine::other));
}

TEST(MachOImage, OfAPartIsNotReadBeyondThePart) {
  const std::string part = bundle(arm64, "the facts", symbols);
  for (const std::size_t claimed : {std::size_t{40}, part.size() - 1}) {
    const std::string file =
        big(0xcafebabe) + big(1) + big(arm64) + big(0) + big(28) + big(static_cast<std::uint32_t>(claimed)) + big(0);
    EXPECT_FALSE(read_mach_o(MemoryBytes(file + part), Machine::arm64)) << claimed;
  }
}

TEST(MachOImage, OfAFileCutAnywhereIsRefused) {
  const std::string whole = bundle(arm64, "the facts", symbols);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(read_image(MemoryBytes(whole.substr(0, length)))) << length;
  }
}

TEST(MachOImage, SurvivesDamage) {
  const std::string whole = bundle(arm64, "the facts", symbols);
  std::size_t read = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = value;
      if (read_image(MemoryBytes(std::move(damaged)))) ++read;
    }
  }
  EXPECT_GT(read, 0U);
}

}  // namespace
}  // namespace agentrun::host
