// What of the machine around it a confined command can reach besides files: unix sockets, the shared /tmp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>

#include "program.hpp"

namespace agentrun::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A service of the user's that listens.
class Service {
 public:
  explicit Service(const std::filesystem::path& path) : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.native().copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(listener_, 8) != 0) {
      throw std::runtime_error("no service at " + path.native());
    }
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service() { ::close(listener_); }

 private:
  int listener_;
};

class Outside : public ::testing::Test {
 protected:
  [[nodiscard]] Finished connect(const std::filesystem::path& path, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), "exec");
    options.insert(options.end(), {"--", AGENTRUN_PROBE, "connect-unix", path.native()});
    return stage_.run(options);
  }
  [[nodiscard]] std::filesystem::path below(const char* name) const {
    std::filesystem::create_directories((stage_.root() / name).parent_path());
    return stage_.root() / name;
  }

  Stage stage_;
};

TEST_F(Outside, CannotConnectToAServiceThatListens) {
  const auto path = below("run/docker.sock");
  const Service service(path);
  EXPECT_EQ(connect(path, {"--sandbox", "off"}).out, "connected\n") << "the control";
  const Finished result = connect(path);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("connect: "));
}

TEST_F(Outside, CannotConnectByALinkOrThroughProc) {
  const auto path = below("run/bus");
  const Service service(path);
  std::filesystem::create_symlink(path, stage_.work() / "link");
  for (const auto& way : {stage_.work() / "link", std::filesystem::path("/proc/self/root" + path.native()),
                          std::filesystem::path("/proc/1/root" + path.native())}) {
    EXPECT_THAT(connect(way).out, HasSubstr("connect: ")) << way;
  }
}

TEST_F(Outside, ConnectsToASocketThatWasAllowedAndSaysWhatThatMeans) {
  const auto path = below("run/docker.sock");
  const Service service(path);
  const Finished result = connect(path, {"--allow-unix-socket", path.native()});
  EXPECT_EQ(result.out, "connected\n");
  EXPECT_THAT(result.err, HasSubstr("lets the agent have programs run outside the sandbox"));
}

TEST_F(Outside, RefusesToAllowASocketThatIsNotThere) {
  const Finished result = connect("/x", {"--allow-unix-socket", (stage_.root() / "missing").native()});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err, HasSubstr("there is no unix socket"));
}

TEST_F(Outside, ConnectsToAServiceOfItsOwnDirectory) {
  const Service service(stage_.work() / "own.sock");
  EXPECT_EQ(connect(stage_.work() / "own.sock").out, "connected\n");
}

TEST_F(Outside, HasATmpOfItsOwnWhenThatIsAskedFor) {
  ASSERT_THAT(stage_.root().path().native(), ::testing::StartsWith("/tmp/"));
  std::ofstream(stage_.root() / "other") << "OTHER";
  const std::string script = "cat '" + (stage_.root() / "other").native() +
                             "'; echo new > /tmp/hard-coded && cat /tmp/hard-coded; echo kept > file";
  const Finished own = stage_.run({"exec", "--private-tmp", "--", "/bin/sh", "-c", script});
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_EQ(own.out, "new\n");
  EXPECT_TRUE(std::filesystem::exists(stage_.work() / "file"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/hard-coded"));
  const Finished shared = stage_.run({"exec", "--", "/bin/sh", "-c", script});
  EXPECT_THAT(shared.out, HasSubstr("OTHER"));
  EXPECT_THAT(shared.out, Not(HasSubstr("new")));
}

}  // namespace
}  // namespace agentrun::testing
