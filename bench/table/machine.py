"""Processes on this machine: starting them, stopping them, and what they have used."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find(program: str) -> str | None:
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


@dataclass
class Usage:
    live_seconds: float  # of CPU, of the threads that live
    all_seconds: float  # of all, in ticks
    resident_kib: int
    threads: int

    @property
    def cpu_seconds(self) -> float:
        """Ticks are believed where they show what threads used that have ended."""
        return self.live_seconds if self.all_seconds < 1.2 * self.live_seconds + 0.05 else self.all_seconds

    def __sub__(self, before: "Usage") -> "Usage":
        return Usage(self.live_seconds - before.live_seconds, self.all_seconds - before.all_seconds,
                     self.resident_kib - before.resident_kib, self.threads)


def usage_of(pid: int) -> Usage:
    """Of one process, without its children. The scheduler's own count has nanoseconds but forgets threads that have
    ended; the other has ticks."""
    nanoseconds = 0
    tasks = list(Path(f"/proc/{pid}/task").iterdir())
    for task in tasks:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            nanoseconds += int((task / "schedstat").read_text().split()[0])
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    resident = 0
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            resident = int(line.split()[1])
    return Usage(nanoseconds / 1e9, ticks / os.sysconf("SC_CLK_TCK"), resident, len(tasks))


class Process:
    """One that runs while something is measured. A context manager: it ends with its block."""

    def __init__(self, argv: list[str], **options):
        self.child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                      text=True, **options)

    @property
    def pid(self) -> int:
        return self.child.pid

    def line(self) -> str:
        text = self.child.stdout.readline()
        if not text:
            raise RuntimeError(f"{self.child.args[0]} ended without the line that was waited for")
        return text.strip()

    def tell(self, text: str) -> None:
        self.child.stdin.write(text)
        self.child.stdin.flush()

    def usage(self) -> Usage:
        return usage_of(self.pid)

    def finish(self) -> int:
        """Closes its input and waits."""
        self.child.stdin.close()
        return self.child.wait(timeout=60)

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_) -> None:
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGKILL)
            self.child.wait()
