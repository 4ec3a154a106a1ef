"""The rows about the proxy alone."""

import time

import verdict
from proxies import Field, Load, Side, interleaved
from verdict import Row

HELD_TUNNELS = 9_900
CONNECT_REQUESTS = 6_000
BODY = 64 << 20


def ratios(ours: list[Load], theirs: list[Load], figure: str) -> list[float]:
    return [getattr(a, figure) / getattr(b, figure) for a, b in zip(ours, theirs)]


def _figures(name: str, loads: list[Load], figure: str, unit: str, digits: int) -> Row:
    failed = sum(load.failures for load in loads)
    note = f", {failed} failed" if failed else ""
    return Row(f"  {name}", verdict.spread([getattr(load, figure) for load in loads], unit, digits) + note)


def _no_failures(seen: dict[str, list[Load]], sides: list[Side]) -> Row:
    """What fails is quick: a rate with failures says nothing."""
    return verdict.none("  failures, agentrun and the bare relay",
                        sum(load.failures for side in sides for load in seen[side.name]))


def new_tunnels(field: Field, rounds: int) -> list[Row]:
    seen = interleaved(field, rounds, [field.ours_unix, field.relay_unix, field.ours_tcp, field.relay_tcp,
                                       field.tinyproxy, field.squid],
                       mode="connect", requests=CONNECT_REQUESTS, at_once=32)
    rows = [Row("new CONNECT tunnel, 1 KiB, 32 at once")]
    for name, loads in seen.items():
        rows.append(_figures(name, loads, "rate", "/s", 0))
        rows.append(_figures(f"{name}, CPU of the proxy", loads, "cpu_us", " us", 1))
    ours, relay = seen[field.ours_unix.name], seen[field.relay_unix.name]
    rows.append(verdict.at_least("  unix socket: rate against the bare relay", ratios(ours, relay, "rate"), 0.95, " x"))
    rows.append(verdict.at_most("  unix socket: CPU against it", ratios(ours, relay, "cpu_us"), 1.1, " x"))
    ours_tcp, relay_tcp = seen[field.ours_tcp.name], seen[field.relay_tcp.name]
    rows.append(verdict.at_most("  TCP with the owner check: CPU against it", ratios(ours_tcp, relay_tcp, "cpu_us"),
                                1.3, " x"))
    return rows + [_no_failures(seen, [field.ours_unix, field.relay_unix, field.ours_tcp, field.relay_tcp])]


def crowd(field: Field, rounds: int) -> list[Row]:
    seen = interleaved(field, rounds, [field.ours_unix, field.relay_unix, field.ours_tcp], mode="connect",
                       requests=CONNECT_REQUESTS, at_once=256)
    ours, relay = seen[field.ours_unix.name], seen[field.relay_unix.name]
    rows = [Row("new CONNECT tunnel, 1 KiB, 256 at once"),
            _figures("agentrun, unix socket, p99", ours, "p99_us", " us", 0),
            _figures("bare relay, unix socket, p99", relay, "p99_us", " us", 0),
            verdict.at_most("  p99 against the bare relay", ratios(ours, relay, "p99_us"), 1.2, " x"),
            _no_failures(seen, [field.ours_unix, field.relay_unix, field.ours_tcp])]
    # A lost SYN is sent again after a second.
    lost = sum(load.max_us > 900_000 for load in seen[field.ours_tcp.name])
    return rows + [verdict.none("  TCP: rounds with a connection that waited for a second SYN", lost)]


def bulk(field: Field, rounds: int) -> list[Row]:
    rows = [Row("bulk, bodies of 64 MiB")]
    for tunnels, rate_goal, cpu_goal in ((1, 0.43, 0.40), (8, 0.60, 0.30)):
        seen = interleaved(field, rounds, [field.direct, field.ours_tcp, field.relay_tcp, field.tinyproxy, field.squid],
                           mode="connect", requests=8 if tunnels == 1 else 32, at_once=tunnels, size=BODY)
        many = f"{tunnels} tunnel" + ("s" if tunnels > 1 else "")
        for name, loads in seen.items():
            rows.append(_figures(f"{many}, {name}", loads, "gb_per_s", " GB/s", 2))
        ours, relay, direct = (seen[side.name] for side in (field.ours_tcp, field.relay_tcp, field.direct))
        rows.append(verdict.at_least(f"  {many}, rate against direct", ratios(ours, direct, "gb_per_s"), rate_goal,
                                     " x", bound=ratios(relay, direct, "gb_per_s")))
        rows.append(verdict.at_most(f"  {many}, CPU of the proxy", [load.cpu_s_per_gb for load in ours], cpu_goal,
                                    " s/GB", bound=[load.cpu_s_per_gb for load in relay]))
        rows.append(_no_failures(seen, [field.ours_tcp, field.relay_tcp, field.direct]))
    return rows


def plain_http(field: Field, rounds: int) -> list[Row]:
    seen = interleaved(field, rounds, [field.ours_tcp, field.relay_tcp, field.tinyproxy, field.squid], mode="http",
                       requests=CONNECT_REQUESTS, at_once=32)
    rows = [Row("plain HTTP, 1 KiB, new connections, 32 at once")]
    rows += [_figures(name, loads, "rate", "/s", 0) for name, loads in seen.items()]
    if field.tinyproxy is not None:
        ours, relay, tinyproxy = (seen[side.name] for side in (field.ours_tcp, field.relay_tcp, field.tinyproxy))
        rows.append(verdict.at_least("  rate against tinyproxy", ratios(ours, tinyproxy, "rate"), 1.7, " x",
                                     bound=ratios(relay, tinyproxy, "rate")))
    return rows + [_no_failures(seen, [field.ours_tcp, field.relay_tcp])]


def idle_tunnels(field: Field) -> list[Row]:
    """A proxy of its own: what earlier rows left in its memory would count."""
    path = str(field.scratch / "idle.sock")
    proxy = field.start("bench_proxy_serve", "--unix", path, f"127.0.0.1:{field.target}")
    proxy.line()
    before = proxy.usage()
    load = field.start("bench_proxy_load", "--target", field.target, "--proxy", path, "--hold", str(HELD_TUNNELS),
                       "--at-once", "64")
    held = int(load.line().removeprefix("held "))
    # The settling after the last tunnel is not idleness.
    time.sleep(1)
    full = proxy.usage()
    time.sleep(3)
    idle = proxy.usage() - full
    load.finish()
    each = (full.resident_kib - before.resident_kib) / max(held, 1)
    return [Row(f"{held:,} idle tunnels"),
            verdict.none("  tunnels that failed", HELD_TUNNELS - held),
            verdict.at_most("  memory of one", [each], 1, " KiB"),
            verdict.at_most("  memory of the proxy", [full.resident_kib / 1024], 16, " MiB", 1),
            verdict.at_most("  threads", [full.threads], 2, "", 0),
            verdict.at_most("  CPU while idle", [idle.cpu_seconds * 1000 / 3], 0.1, " ms/s", 3)]
