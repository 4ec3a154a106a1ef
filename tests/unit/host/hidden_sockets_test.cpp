#include "run/hidden_sockets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/unix_sockets.hpp"

namespace agentrun::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Paths = std::vector<std::filesystem::path>;

TEST(ListeningSockets, AreReadFromTheKernelsTable) {
  EXPECT_THAT(parse_unix_sockets("Num       RefCount Protocol Flags    Type St Inode Path\n"
                                 "0000000000000000: 00000002 00000000 00010000 0001 01 20177 /run/docker.sock\n"
                                 "0000000000000000: 00000003 00000000 00000000 0001 03 20178 /run/connected.sock\n"
                                 "0000000000000000: 00000002 00000000 00010000 0001 01 20179 @/tmp/.X11-unix/X0\n"
                                 "0000000000000000: 00000002 00000000 00010000 0001 01 20180\n"
                                 "0000000000000000: 00000002 00000000 00010000 0005 01  2018 /tmp/with  two spaces\n"
                                 "0000000000000000: 00000002 00000000 00010000 0001 01 20182 relative.sock\n"),
              ElementsAre("/run/docker.sock", "/tmp/with  two spaces"));
  EXPECT_THAT(parse_unix_sockets(""), IsEmpty());
  EXPECT_THAT(parse_unix_sockets("junk\n\n: :\n"), IsEmpty());
}

TEST(HiddenSockets, AreAllButTheAgentsOwnAndTheAllowedOnes) {
  const SocketPlaces places{{"/n/docker.sock", "/w/own.sock", "/n/allowed.sock"}, {}};
  EXPECT_THAT(sockets_to_hide(places, {"/w"}, {"/n/allowed.sock"}, {}), ElementsAre("/n/docker.sock"));
}

TEST(HiddenSockets, GoWithTheirDirectory) {
  const SocketPlaces places{{"/n/user/bus", "/n/user/pulse/native"}, {"/n/user"}};
  EXPECT_THAT(sockets_to_hide(places, {"/w"}, {}, {}), ElementsAre("/n/user"));
}

TEST(HiddenSockets, AreCoveredOneByOneWhereTheirDirectoryIsUsed) {
  const SocketPlaces places{{"/n/user/bus", "/n/user/work/own"}, {"/n/user"}};
  EXPECT_THAT(sockets_to_hide(places, {"/n/user/work"}, {}, {}), ElementsAre("/n/user/bus"));
  EXPECT_THAT(sockets_to_hide(places, {"/w"}, {"/n/user/bus"}, {}), ElementsAre("/n/user/work/own"));
  EXPECT_THAT(sockets_to_hide(places, {"/w"}, {}, {"/n/user/tmp"}), ElementsAre("/n/user/bus", "/n/user/work/own"));
  EXPECT_THAT(sockets_to_hide(places, {"/n"}, {}, {}), IsEmpty());
}

TEST(HostSockets, AreKnownByTheirNames) {
  for (const char* path :
       {"/run/docker.sock", "/run/user/1000/podman/podman.sock", "/run/containerd/containerd.sock",
        "/run/user/1000/bus", "/run/dbus/system_bus_socket", "/run/systemd/private", "/tmp/ssh-XXXX/agent.1"}) {
    EXPECT_TRUE(hands_over_the_host(path)) << path;
  }
  EXPECT_FALSE(hands_over_the_host("/run/postgresql/.s.PGSQL.5432"));
}

}  // namespace
}  // namespace agentrun::host
