#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/proxy_under_test.hpp"

namespace agentrun::proxy::test {
namespace {

using ::testing::HasSubstr;

Options on_socket(const std::filesystem::path& path) {
  Options options;
  options.unix_socket = path;
  return options;
}

TEST(Listening, GivesTheUnixSocketToItsUserAlone) {
  const testing::TempDir directory;
  const std::filesystem::path path = directory / "proxy.sock";
  const mode_t before = ::umask(0);
  const auto proxy = Proxy::start(allow({"a.test"}), on_socket(path), nullptr);
  ::umask(before);
  ASSERT_TRUE(proxy);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_TRUE(S_ISSOCK(status.st_mode));
  EXPECT_EQ(status.st_mode & 07777, 0600U);
}

TEST(Listening, RefusesAPathThatExists) {
  const testing::TempDir directory;
  const std::filesystem::path path = directory.write("proxy.sock", "precious");
  const auto proxy = Proxy::start(allow({"a.test"}), on_socket(path), nullptr);
  ASSERT_FALSE(proxy);
  EXPECT_EQ(proxy.error().code, ErrorCode::unavailable);
  EXPECT_THAT(proxy.error().message, HasSubstr(path.string()));
  EXPECT_EQ(testing::read_file(path), "precious");
}

TEST(Listening, RefusesAPathThatIsTooLongForASocketAndSaysWhatHelps) {
  const testing::TempDir directory;
  const auto proxy = Proxy::start(allow({"a.test"}), on_socket(directory / std::string(120, 'x')), nullptr);
  ASSERT_FALSE(proxy);
  EXPECT_EQ(proxy.error().code, ErrorCode::unavailable);
  EXPECT_THAT(proxy.error().hint, HasSubstr("TMPDIR"));
}

TEST(Listening, RefusesADirectoryThatIsNotThere) {
  const auto proxy = Proxy::start(allow({"a.test"}), on_socket("/nowhere/at/all/proxy.sock"), nullptr);
  ASSERT_FALSE(proxy);
  EXPECT_EQ(proxy.error().code, ErrorCode::unavailable);
}

TEST(Listening, ServesBothSocketsBothWays) {
  const ProxyUnderTest proxy(allow({"a.test"}));
  for (const bool over_unix : {false, true}) {
    Peer http = over_unix ? proxy.connect_unix() : proxy.connect();
    http.send(connect_request("b.test:443"));
    EXPECT_EQ(status_of(http.receive_all().bytes), 403);
    Peer socks = over_unix ? proxy.connect_unix() : proxy.connect();
    socks.send("\x05\x01\x02");
    EXPECT_EQ(socks.receive_all().bytes, "\x05\xFF");
  }
}

TEST(Listening, EndsWithNothingLeft) {
  const testing::TempDir directory;
  const std::filesystem::path path = directory / "proxy.sock";
  Origin origin;
  const std::size_t threads = running_threads();
  const std::size_t descriptors = open_descriptors();
  std::vector<Peer> clients;
  {
    const auto proxy = Proxy::start(allow({origin.authority()}), on_socket(path), nullptr);
    ASSERT_TRUE(proxy);
    for (int i = 0; i < 20; ++i) {
      clients.push_back(Peer::connect((*proxy)->port()));
      clients.push_back(Peer::connect(path));
      // Some say nothing, some half a head, some have a tunnel, some are being refused.
      if (i % 4 == 1) clients.back().send("GET http://");
      if (i % 4 == 2) clients.back().send(connect_request(origin.authority()));
      if (i % 4 == 3) clients.back().send(connect_request("b.test:443"));
    }
    for (int i = 0; i < 5; ++i) (void)origin.accept();
    (*proxy)->stop();
    EXPECT_FALSE(std::filesystem::exists(path));
    (*proxy)->stop();
  }
  for (Peer& client : clients) EXPECT_NE(client.receive_all().ending, Ending::too_late);
  clients.clear();
  EXPECT_TRUE(eventually([&] { return running_threads() == threads; }));
  EXPECT_EQ(open_descriptors(), descriptors);
}

TEST(Listening, LeavesNothingToAProgramThatIsStarted) {
  Origin origin;
  const ProxyUnderTest proxy(allow({origin.authority()}));
  const Peer client = proxy.tunnel(origin.authority());
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fdinfo")) {
    const std::string flags = testing::read_file(entry.path());
    const auto link = "/proc/self/fd/" + entry.path().filename().string();
    std::error_code error;
    const std::string name = std::filesystem::read_symlink(link, error).string();
    if (!name.starts_with("socket:") && !name.starts_with("anon_inode:")) continue;
    const std::size_t at = flags.find("flags:\t");
    ASSERT_NE(at, std::string::npos);
    const unsigned long bits = std::stoul(flags.substr(at + 7), nullptr, 8);
    EXPECT_NE(bits & 02000000, 0U) << name << " would be inherited";
  }
}

TEST(Listening, TakesSignalsFromNobody) {
  // Blocked in the proxy's threads, so that a SIGTERM reaches the caller's.
  const std::size_t before = running_threads();
  const ProxyUnderTest proxy(allow({"a.test"}));
  ASSERT_GT(running_threads(), before);
  bool found = false;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    if (task.path().filename() == std::to_string(::getpid())) continue;
    const std::string status = testing::read_file(task.path() / "status");
    const std::size_t at = status.find("SigBlk:\t");
    ASSERT_NE(at, std::string::npos);
    const unsigned long long mask = std::stoull(status.substr(at + 8, 16), nullptr, 16);
    if ((mask & (1ULL << (SIGTERM - 1))) != 0) found = true;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace agentrun::proxy::test
