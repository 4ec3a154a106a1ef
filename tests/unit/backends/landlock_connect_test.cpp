// The way to the proxy, by the agent's own socket and, where that cannot be borrowed, by another in its place.

#include <sys/socket.h>

#include "landlock_fixture.hpp"

namespace agentrun::landlock {
namespace {

class LandlockConnect : public Sandboxed, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    Sandboxed::SetUp();
    if (GetParam()) launcher = {AGENTRUN_LANDLOCK_CONTAINER};
    proxy = std::make_unique<testing::BackendEchoServer>();
    if (!testing::BackendServices({}, false).find_tool("python3")) GTEST_SKIP() << "python3 is not installed";
  }
  [[nodiscard]] testing::Exited python(const std::string& program) const {
    const std::string prelude = "import socket, select, errno, threading, sys\nproxy = ('127.0.0.1', " +
                                std::to_string(proxy->port()) +
                                ")\n"
                                "def echo(s):\n"
                                "  s.sendall(b'hello'); got = s.recv(9); assert got == b'hello', got\n";
    return shell("exec python3 -c \"$1\"", {prelude + program});
  }
};
INSTANTIATE_TEST_SUITE_P(Sockets, LandlockConnect, ::testing::Bool(),
                         [](const auto& tested) { return std::string(tested.param ? "InPlace" : "Borrowed"); });

TEST_P(LandlockConnect, SpeaksOverABlockingSocket) {
  const auto exited = python(
      "s = socket.socket(); s.connect(proxy); echo(s)\n"
      "assert s.getpeername() == proxy and s.getsockname()[0] == '127.0.0.1'\n"
      "assert s.getblocking() and not s.get_inheritable()\nprint('ok')\n");
  EXPECT_EQ(exited.out, "ok\n") << exited.err;
}

TEST_P(LandlockConnect, SpeaksOverANonblockingSocket) {
  const auto exited = python(
      "s = socket.socket(); s.setblocking(False)\n"
      "code = s.connect_ex(proxy); assert code in (0, errno.EINPROGRESS), code\n"
      "assert select.select([], [s], [], 10)[1]\n"
      "assert s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0\n"
      "assert s.getpeername() == proxy\n"
      "s.setblocking(True); echo(s); print('ok')\n");
  EXPECT_EQ(exited.out, "ok\n") << exited.err;
}

TEST_P(LandlockConnect, KeepsWhatWasSetBefore) {
  if (GetParam()) GTEST_SKIP() << "options of a socket that cannot be borrowed are lost, but TCP_NODELAY";
  const auto exited = python(
      "s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1); s.settimeout(7)\n"
      "s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 50000); d = s.dup()\n"
      "p = select.epoll(); p.register(s.fileno(), select.EPOLLOUT)\n"
      "s.connect(proxy); echo(d)\n"
      "assert p.poll(10) and s.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1\n"
      "assert s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) == 100000; print('ok')\n");
  EXPECT_EQ(exited.out, "ok\n") << exited.err;
}

TEST_P(LandlockConnect, HasNoDelay) {
  const auto exited = python(
      "s = socket.socket(); s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1); s.connect(proxy)\n"
      "print(s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))\n");
  EXPECT_EQ(exited.out, "1\n") << exited.err;
}

TEST_P(LandlockConnect, RefusesOtherPlacesAsAnEmptyNetworkWould) {
  const auto exited = python(
      "for a in [('127.0.0.1', 9), ('127.0.0.2', proxy[1]), ('192.0.2.1', 80), ('0.0.0.0', proxy[1])]:\n"
      "  print(errno.errorcode[socket.socket().connect_ex(a)])\n");
  EXPECT_EQ(exited.out, "ECONNREFUSED\nECONNREFUSED\nENETUNREACH\nENETUNREACH\n") << exited.err;
}

TEST_P(LandlockConnect, ReportsAProxyThatIsGone) {
  // The port of a listener that has ended.
  const std::uint16_t port = proxy->port();
  const auto command = argv({"/bin/sh", "-c", "exec python3 -c \"$1\"", "sh",
                             "import socket, errno, select\n"
                             "s = socket.socket(); print(errno.errorcode[s.connect_ex(('127.0.0.1', " +
                                 std::to_string(port) +
                                 "))])\n"
                                 "s = socket.socket(); s.setblocking(False); s.connect_ex(('127.0.0.1', " +
                                 std::to_string(port) +
                                 "))\nselect.select([], [s], [], 10)\n"
                                 "print(errno.errorcode[s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) or 111])\n"});
  proxy.reset();
  const auto exited = testing::BackendProcess(command, {environment, {}}).wait();
  EXPECT_EQ(exited.out, "ECONNREFUSED\nECONNREFUSED\n") << exited.err;
}

TEST_P(LandlockConnect, RefusesWhatIsNoSocket) {
  const auto exited = python(
      "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
      "name = (2).to_bytes(2, 'little') + proxy[1].to_bytes(2, 'big') + bytes([127, 0, 0, 1]) + bytes(8)\n"
      "for fd in (os.open('/etc/passwd', os.O_RDONLY), 99):\n"
      "  libc.connect(fd, name, 16); print(errno.errorcode[ctypes.get_errno()])\n"
      "s = socket.socket()\n"
      "for address, size in ((None, 16), (name, 1), (name, 8), (name, 4096)):\n"
      "  libc.connect(s.fileno(), address, size); print(errno.errorcode[ctypes.get_errno()])\n");
  EXPECT_EQ(exited.out, "ENOTSOCK\nEBADF\nEFAULT\nEINVAL\nEINVAL\nEINVAL\n") << exited.err;
}

TEST_P(LandlockConnect, ServesManyThreadsAtOnce) {
  const auto exited = python(
      "failed = []\n"
      "def work():\n"
      "  try:\n"
      "    for _ in range(20):\n"
      "      s = socket.socket(); s.connect(proxy); echo(s); s.close()\n"
      "  except Exception as e: failed.append(e)\n"
      "threads = [threading.Thread(target=work) for _ in range(64)]\n"
      "[t.start() for t in threads]; [t.join() for t in threads]; print(len(failed), failed[:1])\n");
  EXPECT_EQ(exited.out, "0 []\n") << exited.err;
}

TEST_P(LandlockConnect, OutlivesAThreadThatIsKilledWhileItConnects) {
  // A listener whose queue is full: the connection hangs until its caller is killed. Others go on meanwhile.
  const auto exited = python(
      "import os, signal, time\n"
      "full = socket.socket(socket.AF_UNIX); full.bind('full'); full.listen(0)\n"
      "first = socket.socket(socket.AF_UNIX); first.connect('full')\n"
      "children = []\n"
      "for _ in range(8):\n"
      "  pid = os.fork()\n"
      "  if pid == 0:\n"
      "    socket.socket(socket.AF_UNIX).connect('full'); os._exit(0)\n"
      "  children.append(pid)\n"
      "for _ in range(50): s = socket.socket(); s.connect(proxy); echo(s); s.close()\n"
      "for pid in children: os.kill(pid, signal.SIGKILL)\n"
      "print(sorted({os.waitpid(pid, 0)[1] for pid in children}))\n");
  EXPECT_EQ(exited.out, "[9]\n") << exited.err;
}

}  // namespace
}  // namespace agentrun::landlock
