"""many_hosts.py COUNT: asks the proxy of the environment for COUNT hosts of different names."""

import os
import socket
import sys
import urllib.parse

proxy = urllib.parse.urlsplit(os.environ["HTTP_PROXY"])
for number in range(int(sys.argv[1])):
    with socket.create_connection((proxy.hostname, proxy.port)) as connection:
        connection.sendall(b"CONNECT h%d.test:443 HTTP/1.0\r\n\r\n" % number)
        assert connection.recv(64).startswith(b"HTTP/1.1 403")
