"""The rows about whole runs: what agentrun's start costs, and its proxy seen from inside the sandbox."""

import json
import subprocess
from pathlib import Path

import verdict
from machine import Process, find
from proxies import Field, Load, parse_load
from verdict import Row


def _spawn(programs: Path, rounds: int, commands: list[list[str]]) -> list[dict]:
    argv = [str(programs / "bench_spawn"), str(rounds)]
    for number, command in enumerate(commands):
        argv += (["--next"] if number else []) + command
    return json.loads(subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout)


def start(programs: Path, rounds: int) -> list[Row]:
    """The start-up check is part of it: the real start is the check."""
    bare = [find("bwrap"), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--die-with-parent",
            "--unshare-net", "--", "/bin/true"]
    ours = [str(programs / "agentrun"), "exec", "--network", "full", "--", "/bin/true"]
    bwrap, agentrun = _spawn(programs, rounds, [bare, ours])
    return [Row("exec -- true, sandbox and proxy live"),
            Row("  bare bwrap", verdict.spread(bwrap["whole"], " ms", 1)),
            Row("  agentrun exec --network full", verdict.spread(agentrun["whole"], " ms", 1)),
            verdict.at_most("  against bare bwrap", [a / b for a, b in zip(agentrun["whole"], bwrap["whole"])], 1.5,
                            " x"),
            verdict.at_most("  peak memory of agentrun", [max(agentrun["peak"])], 12, " MiB", 1)]


def first_byte(field: Field, rounds: int) -> list[Row]:
    curl = find("curl")
    if curl is None:
        return [Row("first proxied byte", "curl is not here")]
    request = [curl, "-sS", f"http://127.0.0.1:{field.target}/1"]
    inside = [str(field.programs / "agentrun"), "exec", "--network", "custom", "--allow-host", f"127.0.0.1:{field.target}",
              "--", *request]
    direct, proxied = _spawn(field.programs, rounds, [request, inside])
    return [Row("first byte of curl, from the start of its command"),
            Row("  directly", verdict.spread(direct["first_byte"], " ms", 1)),
            Row("  agentrun exec -- curl", verdict.spread(proxied["first_byte"], " ms", 1)),
            verdict.at_most("  more than directly",
                            [a - b for a, b in zip(proxied["first_byte"], direct["first_byte"])], 5, " ms", 1)]


def _load_inside(field: Field, requests: int, at_once: int) -> Load:
    load = f"{field.programs}/bench_proxy_load --target {field.target} --requests {requests} --at-once {at_once}"
    # agentrun is measured between two moments at which nothing of its start or end is under way.
    script = f"echo ready; read go; {load} || true; read end"
    with Process([str(field.programs / "agentrun"), "exec", "--network", "custom", "--allow-host",
                  f"127.0.0.1:{field.target}", "--", "/bin/sh", "-c", script]) as run:
        run.line()
        before = run.usage()
        run.tell("\n")
        output = run.line()
        used = run.usage() - before
        run.tell("\n")
        run.finish()
    return parse_load(output, used, requests, 1024)


def inside(field: Field, rounds: int) -> list[Row]:
    costs, loads, outside = [], [], []
    for _ in range(rounds):
        loads.append(_load_inside(field, 4_000, 8))
        outside.append(field.load(field.ours_tcp, "connect", 4_000, 8))
        costs.append(loads[-1].cpu_us / outside[-1].cpu_us)
    crowds = [_load_inside(field, 4_000, at_once) for at_once in (64, 256)]
    return [Row("from inside the sandbox, 8 at once"),
            Row("  rate inside", verdict.spread([load.rate for load in loads], "/s", 0)),
            Row("  rate outside, TCP", verdict.spread([load.rate for load in outside], "/s", 0)),
            verdict.at_most("  CPU of agentrun against the proxy outside", costs, 1.1, " x"),
            verdict.at_most("  worst latency", [max(load.max_us for load in loads) / 1000], 100, " ms", 1),
            verdict.at_most("  worst latency, 64 and 256 at once", [max(load.max_us for load in crowds) / 1000], 100,
                            " ms", 1),
            verdict.none("  failures, 8, 64 and 256 at once", sum(load.failures for load in loads + crowds))]
