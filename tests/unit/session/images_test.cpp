#include "session/images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace agentrun::host {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using testing::content_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::mode_of;
using testing::Scratch;

const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s;
const std::string jpeg = "\xff\xd8\xff\xe0\0\x10JFIF"s;
const std::string gif = "GIF89a\x01\0\x01\0"s;
const std::string webp = "RIFF\x24\0\0\0WEBPVP8 "s;

void expect_refused(const fs::path& image, const fs::path& cwd, const std::string& why) {
  const auto checked = check_images({image}, cwd);
  ASSERT_FALSE(checked) << image;
  EXPECT_EQ(checked.error().code, ErrorCode::usage);
  EXPECT_THAT(checked.error().message, HasSubstr("--image " + image.string()));
  EXPECT_THAT(checked.error().message, HasSubstr(why));
  EXPECT_THAT(checked.error().hint, HasSubstr("PNG, JPEG, GIF or WebP"));
}

TEST(Images, AreKnownByTheirFirstBytes) {
  const Scratch scratch;
  const std::vector<fs::path> images{scratch.file("a.txt", png), scratch.file("b", jpeg), scratch.file("c.png", gif),
                                     scratch.file("d.webp", webp), scratch.file("e", "GIF87a")};
  EXPECT_EQ(check_images(images, "/"), images);
}

TEST(Images, StartFromTheWorkingDirectoryWhenRelative) {
  const Scratch scratch;
  const auto image = scratch.file("sub/a.png", png);
  EXPECT_EQ(check_images({"sub/a.png", "./sub/../sub/a.png"}, scratch.path()), (std::vector<fs::path>{image, image}));
}

TEST(Images, AreRefusedWhenTheyAreSomethingElse) {
  const Scratch scratch;
  expect_refused(scratch / "none.png", "/", "No such file");
  expect_refused(scratch.path(), "/", "not a regular file");
  expect_refused(scratch.fifo("pipe"), "/", "not a regular file");
  expect_refused("/dev/zero", "/", "not a regular file");
  const std::vector<std::string> contents{"",
                                          "\x89PNG",
                                          "<svg/>",
                                          "RIFF\x24\0\0\0WAVEfmt "s,
                                          "RIFF\x24\0\0\0WEB"s,
                                          "GIF88a",
                                          "\xff\xd8",
                                          "BM\0\0\0\0\0\0\0\0\0\0"s,
                                          " " + png};
  for (const auto& content : contents) expect_refused(scratch.file("x.png", content), "/", "first bytes");
}

TEST(ImageCopies, HaveSafeNamesAndTheRightExtension) {
  const Scratch scratch;
  const auto session = scratch.directory("session");
  const auto copies = copy_images({scratch.file("--flag; rm.exe", png), scratch.file("a/x.png", jpeg),
                                   scratch.file("b/x.png", gif), scratch.file("@x", webp)},
                                  session);
  ASSERT_TRUE(copies) << describe(copies.error());
  EXPECT_THAT(*copies, ElementsAre(session / "image-1.png", session / "image-2.jpg", session / "image-3.gif",
                                   session / "image-4.webp"));
  EXPECT_EQ(content_of((*copies)[0]), png);
  EXPECT_EQ(content_of((*copies)[3]), webp);
  for (const auto& copy : *copies) EXPECT_EQ(mode_of(copy), 0600u);
}

TEST(ImageCopies, AreWholeWhenLarge) {
  const Scratch scratch;
  const std::string large = png + std::string(3'000'001, '\x5a');
  const auto copies = copy_images({scratch.file("large", large)}, scratch.directory("session"));
  ASSERT_TRUE(copies);
  EXPECT_EQ(content_of(copies->front()), large);
}

TEST(ImageCopies, AreRefusedWhenTheFileChangedSinceTheCheck) {
  const Scratch scratch;
  const auto image = scratch.file("a.png", png);
  ASSERT_TRUE(check_images({image}, "/"));
  scratch.file("a.png", "secret text");
  EXPECT_FALSE(copy_images({image}, scratch.directory("session")));
}

TEST(ImageCopies, DoNotFollowALinkInTheSessionDirectory) {
  const Scratch scratch;
  const auto victim = scratch.file("victim", "precious");
  const auto session = scratch.directory("session");
  fs::create_symlink(victim, session / "image-1.png");
  const auto copies = copy_images({scratch.file("a.png", png)}, session);
  ASSERT_FALSE(copies);
  EXPECT_EQ(copies.error().code, ErrorCode::io);
  EXPECT_EQ(content_of(victim), "precious");
}

}  // namespace
}  // namespace agentrun::host
