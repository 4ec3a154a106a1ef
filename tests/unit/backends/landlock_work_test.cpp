// What must go on working inside.

#include <sys/stat.h>

#include <csignal>

#include "landlock_fixture.hpp"

namespace agentrun::landlock {
namespace {

class LandlockWork : public Sandboxed {
 protected:
  [[nodiscard]] static bool has(const char* program) {
    return testing::BackendServices({}, false).find_tool(program).has_value();
  }
  void python(const std::string& program, const std::string& expected) const {
    if (!has("python3")) GTEST_SKIP() << "python3 is not installed";
    const auto exited = shell("exec python3 -c \"$1\"", {program});
    EXPECT_EQ(exited.out, expected) << exited.err;
  }
};

TEST_F(LandlockWork, ChangesModesTimesAndAttributesOfItsOwn) {
  const auto file = testing::write_file(cwd / "file", "x");
  std::filesystem::create_symlink(file, cwd / "link");
  for (const char* way : {"chmod", "fchmod", "fchmodat", "link"}) {
    ::chmod(file.c_str(), 0600);
    EXPECT_EQ(attack({"mode", way, file}), "done\n") << way;
    EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0700)) << way;
  }
  for (const char* way : {"utimensat", "lutimes", "futimens", "utimes"}) {
    testing::write_file(file, "again");
    EXPECT_EQ(attack({"times", way, file}), "done\n") << way;
    struct stat status {};
    ::stat(file.c_str(), &status);
    EXPECT_EQ(status.st_mtime, 2000) << way;
  }
  EXPECT_EQ(attack({"times", "lutimes", cwd / "link"}), "done\n");
  struct stat link {};
  ::lstat((cwd / "link").c_str(), &link);
  EXPECT_EQ(link.st_mtime, 2000);
  EXPECT_EQ(attack({"owner", file}), "done\n");
  const std::string attribute = attack({"attribute", "path", file});
  if (attribute == "Operation not supported\n") GTEST_SKIP() << "the file system has no attributes";
  EXPECT_EQ(attribute, "done\n");
  EXPECT_EQ(attack({"attribute", "fd", file}), "done\n");
  EXPECT_EQ(attack({"attribute", "remove", file}), "done\n");
}

TEST_F(LandlockWork, SeesTheErrorsOfTheKernel) {
  EXPECT_EQ(attack({"mode", "chmod", cwd / "missing"}), "No such file or directory\n");
  EXPECT_EQ(attack({"mode", "fchmod", cwd / "missing"}), "Bad file descriptor\n");
  EXPECT_EQ(attack({"connect-unix", cwd / "missing"}), "No such file or directory\n");
  testing::write_file(cwd / "file", "");
  EXPECT_EQ(attack({"connect-unix", cwd / "file"}), "Connection refused\n");
}

TEST_F(LandlockWork, KeepsAVersionHistory) {
  if (!has("git")) GTEST_SKIP() << "git is not installed";
  const auto exited = shell(
      "git init -q . && git config user.name a && git config user.email a@b.test && echo x > file && chmod +x file && "
      "git add . && git commit -qm one && mkdir d && git mv file d/ && git commit -qm two && git log --oneline | wc -l "
      "&& git gc -q && git fsck --strict && git checkout -q HEAD~1 && git worktree add -q ../work/tree && cat "
      "tree/file");
  EXPECT_EQ(exited.out, "2\nx\n") << exited.err;
}

TEST_F(LandlockWork, MakesTenThousandFiles) {
  const auto exited = shell(
      "mkdir a && cd a && i=0; while [ $i -lt 10000 ]; do echo $i > $i; i=$((i+1)); done; ls | wc -l; "
      "chmod 600 *; cd .. && tar cf a.tar a && mkdir b && tar xf a.tar -C b && ls b/a | wc -l && rm -r a b && ls");
  EXPECT_EQ(exited.out, "10000\n10000\na.tar\n") << exited.err;
}

TEST_F(LandlockWork, RunsPipesAndJobsOfAShell) {
  const auto exited = shell(
      "seq 1 100000 | sort -rn | head -1; (echo a; echo b) | while read x; do echo $x; done; sleep 0 & wait; "
      "echo err 2>/dev/null >&2; echo out > /dev/stdout; cat < /dev/null; trap 'echo bye' EXIT; kill -0 $$ && echo "
      "own");
  EXPECT_EQ(exited.out, "100000\na\nb\nout\nown\nbye\n") << exited.err;
}

TEST_F(LandlockWork, LeavesASignalToItsGroupToTheCommand) {
  // As the terminal sends it. At once: the helper must not be the one that it ends.
  for (int i = 0; i < 10; ++i) {
    testing::BackendProcess process(
        argv({"/bin/sh", "-c", "trap 'echo got; exit 5' INT; echo ready; sleep 1000 & wait"}), {environment, {}});
    ASSERT_TRUE(process.said("ready"));
    ::kill(-process.pid(), SIGINT);
    const auto exited = process.wait();
    EXPECT_EQ(exited.code, 5);
    EXPECT_EQ(exited.out, "ready\ngot\n");
    EXPECT_TRUE(exited.out_ended);
  }
}

TEST_F(LandlockWork, TalksOverUnixSocketsOfItsOwn) {
  python(
      "import socket, threading\n"
      "for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):\n"
      "  a, b = socket.socketpair(socket.AF_UNIX, kind); a.sendmsg([b'pair']); print(b.recv(9).decode())\n"
      "  name = 's%d' % kind\n"
      "  server = socket.socket(socket.AF_UNIX, kind); server.bind(name); server.listen(100)\n"
      "  def serve():\n"
      "    for _ in range(100): c, _ = server.accept(); c.send(c.recv(9)); c.close()\n"
      "  t = threading.Thread(target=serve); t.start()\n"
      "  for _ in range(100):\n"
      "    c = socket.socket(socket.AF_UNIX, kind); c.connect(name); c.send(b'x'); assert c.recv(9) == b'x'; "
      "c.close()\n"
      "  t.join(); print('served')\n",
      "pair\nserved\npair\nserved\n");
}

TEST_F(LandlockWork, WaitsForAUnixSocketWhoseQueueIsFull) {
  python(
      "import socket, threading, time\n"
      "server = socket.socket(socket.AF_UNIX); server.bind('full'); server.listen(0)\n"
      "n = socket.socket(socket.AF_UNIX); n.connect('full')\n"
      "m = socket.socket(socket.AF_UNIX); m.setblocking(False)\n"
      "try: m.connect('full'); print('room')\n"
      "except BlockingIOError: print('full')\n"
      "done = []\n"
      "def late(): c = socket.socket(socket.AF_UNIX); c.connect('full'); done.append(c)\n"
      "t = threading.Thread(target=late); t.start()\n"
      "while t.is_alive(): server.accept(); t.join(0.1)\n"
      "print(len(done), 'connected')\n",
      "full\n1 connected\n");
}

TEST_F(LandlockWork, RunsThreadsAndProcesses) {
  python(
      "import threading, subprocess, concurrent.futures as f\n"
      "with f.ThreadPoolExecutor(32) as pool: print(sum(pool.map(lambda i: subprocess.call(['true']), range(200))))\n",
      "0\n");
}

TEST_F(LandlockWork, RunsNode) {
  if (!has("node")) GTEST_SKIP() << "node is not installed";
  const auto exited = shell(
      "exec node -e \"const {execSync}=require('child_process'); const fs=require('fs');"
      "fs.mkdirSync('a/b',{recursive:true}); fs.writeFileSync('a/b/c','x'); fs.utimesSync('a/b/c',1,2);"
      "fs.rmSync('a',{recursive:true}); new Worker_();"
      "function Worker_(){const {Worker}=require('worker_threads');"
      "new Worker('console.log(execText)'.replace('execText','1+1'),{eval:true})}"
      "console.log(execSync('echo hi').toString().trim())\"");
  EXPECT_EQ(exited.out, "hi\n2\n") << exited.err;
}

TEST_F(LandlockWork, SharesATerminalOfItsOwn) {
  python(
      "import pty, os\npty.spawn(['/bin/sh', '-c', 'tty > /dev/null && stty size > /dev/null && echo on a "
      "terminal'])\n",
      "on a terminal\r\n");
}

}  // namespace
}  // namespace agentrun::landlock
