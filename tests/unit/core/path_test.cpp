#include "agentrun/path.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "temp_dir.hpp"

namespace agentrun {
namespace {

namespace fs = std::filesystem;

TEST(Contains, ComparesComponentsOfMissingPaths) {
  EXPECT_TRUE(contains("/no/such", "/no/such"));
  EXPECT_TRUE(contains("/no/such", "/no/such/x"));
  EXPECT_TRUE(contains("/no/such/", "/no/such"));
  EXPECT_TRUE(contains("/no/such", "/no/such/"));
  EXPECT_FALSE(contains("/no/such", "/no/suchlike"));
  EXPECT_FALSE(contains("/no/such/x", "/no/such"));
  EXPECT_TRUE(contains("/", "/no/such"));
}

TEST(Contains, RemovesDotsFirst) {
  EXPECT_FALSE(contains("/no/such", "/no/such/../x"));
  EXPECT_TRUE(contains("/no/such", "/no/./such/x/../y"));
  EXPECT_TRUE(contains("/no/such/../such", "/no/such/y"));
  EXPECT_TRUE(contains("/no/such/..", "/no/x"));
}

TEST(Contains, ResolvesLinksWhenBothExist) {
  const testing::TempDir temp;
  const fs::path inner = temp.make("real/inner");
  fs::create_directory_symlink(temp / "real", temp / "link");
  EXPECT_TRUE(contains(temp / "link", inner));
  EXPECT_TRUE(contains(temp / "real", temp / "link/inner"));
  EXPECT_FALSE(contains(temp / "link/inner", temp / "real"));
}

TEST(Contains, FollowsALinkOutOfTheDirectory) {
  const testing::TempDir temp;
  temp.make("cwd");
  temp.make("outside");
  fs::create_directory_symlink(temp / "outside", temp / "cwd/way-out");
  EXPECT_FALSE(contains(temp / "cwd", temp / "cwd/way-out"));
  // Through a link ".." is not what it looks like.
  temp.make("deep/er");
  fs::create_directory_symlink(temp / "deep/er", temp / "cwd/in");
  EXPECT_TRUE(contains(temp / "deep", temp / "cwd/in/.."));
}

TEST(Contains, ComparesTextWhenOneIsMissing) {
  const testing::TempDir temp;
  const fs::path cwd = temp.make("cwd");
  EXPECT_TRUE(contains(cwd, cwd / "missing"));
  EXPECT_FALSE(contains(cwd, cwd / ".." / "missing"));
  fs::create_symlink(temp / "gone", temp / "dangling");
  EXPECT_TRUE(contains(temp.path(), temp / "dangling"));
  EXPECT_FALSE(contains(temp / "dangling", cwd));
}

TEST(AbsoluteFrom, StartsRelativePathsAtTheBase) {
  EXPECT_EQ(absolute_from("/base", "x/y"), "/base/x/y");
  EXPECT_EQ(absolute_from("/base", "/x"), "/x");
  EXPECT_EQ(absolute_from("/base", "../x/./y/"), "/x/y");
  EXPECT_EQ(absolute_from("/base", "x/.."), "/base");
  EXPECT_EQ(absolute_from("/base", "."), "/base");
  EXPECT_EQ(absolute_from("/base/", ""), "/base");
  EXPECT_EQ(absolute_from("/base", "../../.."), "/");
  EXPECT_EQ(absolute_from("/base", "//x//y"), "/x/y");
}

TEST(RealPath, ResolvesWhatExists) {
  const testing::TempDir temp;
  const fs::path file = temp.write("file", "");
  fs::create_symlink("file", temp / "link");
  EXPECT_EQ(real_path(temp / "link"), file);
  EXPECT_EQ(real_path(temp / "." / "missing" / ".." / "x"), temp / "x");
}

TEST(Hidden, TellsDirectoriesFromFiles) {
  const testing::TempDir temp;
  const fs::path directory = temp.make("directory");
  const fs::path file = temp.write("file", "x");
  EXPECT_EQ(hidden(directory), (HiddenPath{directory, true}));
  EXPECT_EQ(hidden(file), (HiddenPath{file, false}));
}

TEST(Hidden, GivesTheRealPath) {
  const testing::TempDir temp;
  const fs::path directory = temp.make("directory");
  fs::create_directory_symlink(directory, temp / "link");
  EXPECT_EQ(hidden(temp / "link"), (HiddenPath{directory, true}));
}

TEST(Hidden, IsNothingForMissingPaths) {
  const testing::TempDir temp;
  EXPECT_EQ(hidden(temp / "missing"), std::nullopt);
  fs::create_symlink("missing", temp / "dangling");
  EXPECT_EQ(hidden(temp / "dangling"), std::nullopt);
  fs::create_symlink("loop", temp / "loop");
  EXPECT_EQ(hidden(temp / "loop"), std::nullopt);
  EXPECT_EQ(hidden(temp.write("file", "") / "below"), std::nullopt);
}

TEST(Hidden, TakesAPipeAndASocketForFiles) {
  const testing::TempDir temp;
  ASSERT_EQ(mkfifo((temp / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(hidden(temp / "pipe"), (HiddenPath{temp / "pipe", false}));

  const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_GE(socket_fd, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (temp / "socket").string();
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(bind(socket_fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(hidden(temp / "socket"), (HiddenPath{temp / "socket", false}));
  close(socket_fd);
}

}  // namespace
}  // namespace agentrun
