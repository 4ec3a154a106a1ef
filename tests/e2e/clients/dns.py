"""A DNS server and a web site in a network of their own: unshare --net --mount dns.py DIRECTORY COMMAND…

Runs COMMAND where 127.0.0.1 is the only name server, and a site on port 80 says "hello". DIRECTORY is for its file.
"""

import fcntl
import http.server
import pathlib
import socket
import struct
import subprocess
import sys
import threading

A, CNAME = 1, 5
PUBLIC, PRIVATE, HERE = "203.0.113.7", "10.0.0.1", "127.0.0.1"
# The answers to the first question for a name, to the second, and so on; the last one stays.
answers = {
    "exact.test": [[(A, HERE)]],
    "alias.wild.test": [[(CNAME, "inner.elsewhere.test"), (A, PRIVATE)]],
    "mixed.wild.test": [[(A, PUBLIC), (A, PRIVATE)]],
    "turns.wild.test": [[(A, PUBLIC)], [(A, HERE)]],
    "hangs.wild.test": [None],
}


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh", b"lo", 0x1))  # SIOCSIFFLAGS, IFF_UP


def encode(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def records(name, entries):
    for kind, value in entries:
        data = socket.inet_aton(value) if kind == A else encode(value)
        yield encode(name) + struct.pack("!HHIH", kind, 1, 0, len(data)) + data
        if kind == CNAME:
            name = value


def answer(query):
    name, at = [], 12
    while query[at]:
        name.append(query[at + 1:at + 1 + query[at]].decode().lower())
        at += 1 + query[at]
    name, (kind,) = ".".join(name), struct.unpack("!H", query[at + 1:at + 3])
    turns = answers.get(name)
    entries = [] if turns is None or kind != A else turns[0] if len(turns) == 1 else turns.pop(0)
    if entries is None:
        return None
    body = list(records(name, entries))
    header = query[:2] + struct.pack("!HHHHH", 0x8180 if turns else 0x8183, 1, len(body), 0, 0)
    return header + query[12:at + 5] + b"".join(body)


def serve_names(names):
    while True:
        query, client = names.recvfrom(512)
        reply = answer(query)
        if reply:
            names.sendto(reply, client)


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello\n")

    def log_message(self, *_):
        pass


loopback_up()
configuration = pathlib.Path(sys.argv[1]) / "resolv.conf"
configuration.write_text("nameserver 127.0.0.1\n")
subprocess.run(["mount", "--bind", configuration, "/etc/resolv.conf"], check=True)
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind((HERE, 53))
threading.Thread(target=serve_names, args=(server,), daemon=True).start()
threading.Thread(target=http.server.ThreadingHTTPServer((HERE, 80), Site).serve_forever, daemon=True).start()
sys.exit(subprocess.run(sys.argv[2:], check=False).returncode)
