/* agentrun-bwrap-door [-p PORT] COMMAND [ARGUMENT…]
 *
 * The first program inside the sandbox: tells the host that the sandbox stands, hands out a listening socket made in
 * this network namespace, and becomes the command when the host says so. So nothing relays between the command and
 * the proxy, and the start of a run is its own check. Static and small: it is on the path of every start.
 * The descriptors are those of struct Gate in agentrun/backend.hpp. */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { channel = 3, command_error = 4, refused = 125, not_executable = 126, not_found = 127 };

static void fail(const char* what) {
  dprintf(STDERR_FILENO, "bwrap: the door: %s: %s\n", what, strerror(errno));
  _exit(refused);
}

/* The backlog is what a package manager may open at once; the system cuts it to its own limit. */
static int listen_on(const char* port) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
  const int one = 1;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener < 0) fail("socket");
  if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0) fail("SO_REUSEADDR");
  if (bind(listener, (struct sockaddr*)&name, sizeof name) != 0) fail("bind");
  if (listen(listener, 4096) != 0) fail("listen");
  return listener;
}

static void report(int listener) {
  char byte = 'r';
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec bytes = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (listener >= 0) {
    struct cmsghdr* header = NULL;
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &listener, sizeof listener);
  }
  if (sendmsg(channel, &message, MSG_NOSIGNAL) != 1) fail("report");
}

static void wait_for_the_go(void) {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = read(channel, &byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count != 1) _exit(refused);
}

int main(int argc, char** argv) {
  int listener = -1;
  int at = 1;
  if (argc > 2 && strcmp(argv[1], "-p") == 0) {
    listener = listen_on(argv[2]);
    at = 3;
  }
  if (at >= argc) {
    errno = EINVAL;
    fail("no command");
  }
  report(listener);
  /* The host has its own copy now. One that the command could inherit would let it serve its own connections. */
  if (listener >= 0) close(listener);
  wait_for_the_go();
  if (dup2(command_error, STDERR_FILENO) < 0) fail("standard error");
  close(command_error);
  close(channel);
  execv(argv[at], argv + at);
  dprintf(STDERR_FILENO, "agentrun: cannot start %s: %s\n", argv[at], strerror(errno));
  return errno == ENOENT ? not_found : not_executable;
}
