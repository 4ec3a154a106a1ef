"""The proxies that are measured beside one another, and the server behind them."""

import contextlib
import json
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from machine import Process, Usage, find, free_port


@dataclass
class Side:
    """One way to reach the target."""

    name: str
    place: str  # a port or a path, empty: directly
    process: Process | None = None

    def usage(self) -> Usage:
        return self.process.usage() if self.process else Usage(0, 0, 0, 0)


@dataclass
class Load:
    """What one run of the load client saw, and what the proxy spent meanwhile."""

    rate: float
    p99_us: float
    max_us: float
    gb_per_s: float
    failures: int
    cpu_us: float  # a request
    cpu_s_per_gb: float


class Field:
    """Starts everything, and ends it with its block."""

    def __init__(self, programs: Path, scratch: Path):
        self.programs = programs
        self.scratch = scratch
        self._open = contextlib.ExitStack()

    def __enter__(self) -> "Field":
        self.target = self._port(self.start("bench_proxy_target"))
        ours = self.start("bench_proxy_serve", "--unix", str(self.scratch / "proxy.sock"), f"127.0.0.1:{self.target}")
        relay = self.start("bench_proxy_relay", "--unix", str(self.scratch / "relay.sock"))
        self.ours_unix = Side("agentrun, unix socket", str(self.scratch / "proxy.sock"), ours)
        self.ours_tcp = Side("agentrun, TCP", self._port(ours), ours)
        self.relay_unix = Side("bare relay, unix socket", str(self.scratch / "relay.sock"), relay)
        self.relay_tcp = Side("bare relay, TCP", self._port(relay), relay)
        self.direct = Side("direct", "")
        self.tinyproxy = self._tinyproxy()
        self.squid = self._squid()
        return self

    def __exit__(self, *_) -> None:
        self._open.close()

    def start(self, program: str, *arguments: str) -> Process:
        return self._open.enter_context(Process([str(self.programs / program), *arguments]))

    @staticmethod
    def _port(process: Process) -> str:
        return process.line().removeprefix("port ")

    def load(self, side: Side, mode: str, requests: int, at_once: int, size: int = 1024) -> Load:
        argv = [str(self.programs / "bench_proxy_load"), "--target", self.target, "--mode", mode, "--requests",
                str(requests), "--at-once", str(at_once), "--bytes", str(size)]
        if side.place:
            argv += ["--proxy", side.place]
        before = side.usage()
        output = subprocess.run(argv, stdout=subprocess.PIPE, check=False, text=True).stdout
        return parse_load(output, side.usage() - before, requests, size)

    def _other(self, name: str, argv: list[str], port: int) -> Side:
        process = self._open.enter_context(Process(argv))
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                return Side(name, str(port), process)
            if time.monotonic() > deadline:
                raise RuntimeError(f"{name} did not come up")
            time.sleep(0.05)

    def _tinyproxy(self) -> Side | None:
        program, port = find("tinyproxy"), free_port()
        if program is None:
            return None
        file = self.scratch / "tinyproxy.conf"
        file.write_text(f"Port {port}\nListen 127.0.0.1\nMaxClients 2000\nTimeout 600\nLogLevel Critical\n"
                        f'LogFile "{self.scratch}/tinyproxy.log"\n')
        return self._other("tinyproxy", [program, "-d", "-c", str(file)], port)

    def _squid(self) -> Side | None:
        program, port = find("squid"), free_port()
        if program is None:
            return None
        file = self.scratch / "squid.conf"
        file.write_text(f"http_port 127.0.0.1:{port}\nhttp_access allow all\ncache deny all\naccess_log none\n"
                        f"cache_log /dev/null\npid_filename none\npinger_enable off\nvisible_hostname bench\n"
                        f"shutdown_lifetime 0 seconds\ncoredump_dir none\nnetdb_filename none\n")
        return self._other("squid", [program, "-N", "-f", str(file)], port)


def parse_load(output: str, used: Usage, requests: int, size: int) -> Load:
    """`output` is what bench_proxy_load printed."""
    seen = json.loads(output)
    return Load(seen["rate"], seen["p99_us"], seen["max_us"], seen["gb_per_s"], seen["failures"],
                used.cpu_seconds * 1e6 / requests, used.cpu_seconds / (requests * size / 1e9))


def interleaved(field: Field, rounds: int, sides: list[Side | None], mode: str, **load) -> dict[str, list[Load]]:
    """Every side once a round, each round begun by another: what the machine does meanwhile meets them all."""
    present = [side for side in sides if side is not None]
    seen: dict[str, list[Load]] = {side.name: [] for side in present}
    for turn in range(-1, rounds):  # the first is a warm-up
        for place in range(len(present)):
            side = present[(turn + place) % len(present)]
            result = field.load(side, mode if side.place else "direct", **load)
            if turn >= 0:
                seen[side.name].append(result)
    return seen
