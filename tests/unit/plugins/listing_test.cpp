#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "plugin_directory.hpp"

namespace agentrun::host {
namespace {

using ::testing::HasSubstr;

/// The listing of a file; plugins that are built in have none.
PluginListing listing_of(const std::vector<PluginListing>& listings, const std::filesystem::path& file) {
  for (const auto& listing : listings) {
    if (listing.file == file) return listing;
  }
  ADD_FAILURE() << "not listed: " << file;
  return {};
}

TEST(PluginListing, TellsVersionsWithoutLoading) {
  PluginDirectory directory;
  const auto marker = directory.path() / "loaded";
  const auto file = directory.install("runtime-good");
  ASSERT_EQ(setenv("AGENTRUN_FIXTURE_MARKER", marker.c_str(), 1), 0);
  const auto listing = listing_of(directory.library().list(), file);
  const bool ran_by_list = std::filesystem::exists(marker);
  const bool opened = directory.library().open_runtime("good", {}).has_value();
  ASSERT_EQ(unsetenv("AGENTRUN_FIXTURE_MARKER"), 0);

  EXPECT_FALSE(ran_by_list);
  EXPECT_TRUE(opened);
  EXPECT_TRUE(std::filesystem::exists(marker));  // the mark works
  EXPECT_EQ(listing.kind, PluginKind::runtime);
  EXPECT_EQ(listing.name, "good");
  EXPECT_EQ(listing.version, "1.2.3");
  EXPECT_EQ(listing.abi, AGENTRUN_ABI_ID);
  EXPECT_FALSE(listing.shadowed);
  EXPECT_FALSE(listing.error);
}

TEST(PluginListing, ShowsWhatIsShadowed) {
  PluginDirectory directory;
  const auto first = directory.make("first");
  const auto second = directory.make("second");
  for (const auto& place : {first, second}) PluginDirectory::install("backend-good", place, "agentrun-backend-good.so");
  const auto listings = PluginLibrary({first, second}).list();
  EXPECT_FALSE(listing_of(listings, first / "agentrun-backend-good.so").shadowed);
  EXPECT_TRUE(listing_of(listings, second / "agentrun-backend-good.so").shadowed);
}

TEST(PluginListing, SaysWhyAPluginWouldBeRefusedAndStillItsVersion) {
  PluginDirectory directory;
  const auto file = directory.install("runtime-good");
  PluginDirectory::set_mode(file, 0666);
  const auto listing = listing_of(directory.library().list(), file);
  EXPECT_EQ(listing.version, "1.2.3");
  ASSERT_TRUE(listing.error);
  EXPECT_EQ(listing.error->stage, PluginStage::trust);
}

TEST(PluginListing, ShowsTheAbiOfAnotherVersion) {
  PluginDirectory directory;
  const auto file = directory.install("runtime-other-abi");
  const auto listing = listing_of(directory.library().list(), file);
  EXPECT_THAT(listing.abi, HasSubstr("v0_000000000000_"));
  ASSERT_TRUE(listing.error);
  EXPECT_EQ(listing.error->stage, PluginStage::inspect);
}

TEST(PluginListing, SurvivesEverythingThatHasTheName) {
  PluginDirectory directory;
  const auto named = [&](const std::string& name) { return directory.path() / ("agentrun-runtime-" + name + ".so"); };
  PluginDirectory::write(named("text"), "hello");
  PluginDirectory::write(named("Bad"), "hello");
  std::filesystem::create_symlink("absent", named("dangling"));
  std::filesystem::create_symlink(named("circle"), named("circle"));
  ASSERT_EQ(mkfifo(named("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(named("directory"));
  const auto listings = directory.library().list();
  for (const char* name : {"text", "Bad", "dangling", "circle", "pipe", "directory"}) {
    EXPECT_TRUE(listing_of(listings, named(name)).error) << name;
  }
}

}  // namespace
}  // namespace agentrun::host
