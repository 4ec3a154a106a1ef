"""A web site on loopback: the files of a directory, and at /echo a WebSocket that sends one frame back.

site.py DIRECTORY [CERTIFICATE KEY]   with a certificate: over TLS. Prints its port, and serves until it is killed.
"""

import base64
import functools
import hashlib
import http.server
import ssl
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/echo":
            self.echo()
        else:
            super().do_GET()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def echo(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        first, length = self.rfile.read(2)
        mask = self.rfile.read(4)
        payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.rfile.read(length & 0x7F)))
        self.wfile.write(bytes([first, len(payload)]) + payload)
        self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    context = None

    def finish_request(self, request, client_address):
        # In the connection's own thread: a client that breaks off its handshake must not stop the others.
        if self.context:
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except OSError:
                return
        super().finish_request(request, client_address)

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
if len(sys.argv) > 2:
    server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.context.load_cert_chain(sys.argv[2], sys.argv[3])
print(server.server_address[1], flush=True)
server.serve_forever()
