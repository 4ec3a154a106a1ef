#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "memory_bytes.hpp"
#include "plugin_directory.hpp"
#include "plugins/module_image.hpp"
#include "plugins/platform.hpp"
#include "plugins/plugin_facts.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* own_symbol = AGENTRUN_DESCRIPTOR_PREFIX AGENTRUN_ABI_ID;

TEST(ModuleImage, ShowsFactsAndDescriptorOfAPlugin) {
  const auto image = read_image(MemoryBytes(fixture_bytes("runtime-good")));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->format, native_format());
  EXPECT_EQ(image->machine, native_machine());
  EXPECT_THAT(image->descriptors, ElementsAre(own_symbol));
  const auto facts = parse_facts(image->facts);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->kind, "runtime");
  EXPECT_EQ(facts->name, "good");
  EXPECT_EQ(facts->version, "1.2.3");
  EXPECT_EQ(facts->abi, AGENTRUN_ABI_ID);
  EXPECT_EQ(facts->sdk, AGENTRUN_VERSION);
}

TEST(ModuleImage, OfAnotherLibraryHasNeither) {
  const auto image = read_image(MemoryBytes(fixture_bytes("runtime-no-plugin")));
  ASSERT_TRUE(image);
  EXPECT_TRUE(image->facts.empty());
  EXPECT_TRUE(image->descriptors.empty());
}

TEST(ModuleImage, OfSomethingElseIsRefused) {
  for (const char* content : {"", "\x7f",
                              "\x7f"
                              "EL",
                              "#!/bin/sh\n", "not a library", "!<arch>\n"}) {
    EXPECT_FALSE(read_image(MemoryBytes(content))) << content;
  }
}

TEST(ModuleImage, RefusesAnExecutable) {
  std::string bytes = fixture_bytes("runtime-good");
  bytes[16] = 2;  // ET_EXEC
  const auto image = read_elf(MemoryBytes(bytes));
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message, HasSubstr("is not a 64-bit shared object"));
}

TEST(ModuleImage, OfAFileCutAnywhereIsRefusedAndNotReadBeyond) {
  const std::string bytes = fixture_bytes("runtime-no-plugin");
  for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 64) {
    EXPECT_FALSE(read_image(MemoryBytes(bytes.substr(0, length)))) << length;
  }
}

// Every byte of the headers set to the values that break size computations: any answer, no crash.
TEST(ModuleImage, SurvivesDamagedTables) {
  const std::string bytes = fixture_bytes("runtime-no-plugin");
  const auto sections = static_cast<std::size_t>(little_endian(bytes, 40, 8));
  std::size_t read = 0;
  const auto damage = [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
        std::string damaged = bytes;
        damaged[at] = value;
        if (read_image(MemoryBytes(std::move(damaged)))) ++read;
      }
    }
  };
  damage(0, 64);
  damage(sections, bytes.size());
  EXPECT_GT(read, 0U);
}

TEST(ModuleImage, DoesNotAllocateWhatAFileOnlyClaims) {
  PluginDirectory directory;
  const auto file = directory.path() / "sparse";
  PluginDirectory::write(file, "x");
  std::filesystem::resize_file(file, 1ULL << 40U);
  const auto bytes = FileBytes::open(file);
  ASSERT_TRUE(bytes);
  EXPECT_FALSE(bytes->read(0, 1ULL << 39U));
  EXPECT_FALSE(bytes->read(~0ULL, 2));
  EXPECT_EQ(bytes->read(0, 2), std::string("x\0", 2));
}

TEST(FileBytes, AreThoseOfARegularFileOnly) {
  PluginDirectory directory;
  const auto file = PluginDirectory::write(directory.path() / "file", "abc");
  std::filesystem::create_symlink("file", directory.path() / "link");
  ASSERT_EQ(mkfifo((directory.path() / "pipe").c_str(), 0600), 0);
  const auto opened = FileBytes::open(file);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->size(), 3U);
  EXPECT_EQ(opened->read(1, 2), "bc");
  EXPECT_FALSE(opened->read(1, 3));
  EXPECT_FALSE(FileBytes::open(directory.path() / "link"));
  EXPECT_FALSE(FileBytes::open(directory.path() / "pipe"));  // and does not wait for a writer
  EXPECT_FALSE(FileBytes::open(directory.path()));
  EXPECT_FALSE(FileBytes::open(directory.path() / "absent"));
}

TEST(PluginFacts, NeedTheirMark) {
  EXPECT_FALSE(parse_facts(""));
  EXPECT_FALSE(parse_facts("kind=runtime"));
  EXPECT_FALSE(parse_facts(std::string_view("agentrun-plugins\0kind=runtime\0", 30)));
}

TEST(PluginFacts, SurviveAnythingBehindTheMark) {
  using std::string_view_literals::operator""sv;
  const auto facts = parse_facts("agentrun-plugin\0\0kind\0=\0name=a=b\0other=1\0version=2"sv);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->kind, "");
  EXPECT_EQ(facts->name, "a=b");
  EXPECT_EQ(facts->version, "2");
}

TEST(PluginFacts, CannotSteerATerminal) {
  using std::string_view_literals::operator""sv;
  const auto facts = parse_facts("agentrun-plugin\0version=1\x1b[2J\n\xff\0"sv);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->version, "1?[2J??");
}

}  // namespace
}  // namespace agentrun::host
