"""Prints what was measured beside the goals: python3 bench/table BUILD_DIRECTORY [--rounds N] [--only NAME]…

Numbers of one side count for nothing on a shared machine: both sides of a ratio are measured in turn, and the ratio is
taken round by round. Exit code 1 when a goal is missed by more than the noise.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import rows_inside
import rows_proxy
import rows_run
import verdict
from proxies import Field


def main() -> int:
    groups = {
        "start": lambda field, rounds: rows_run.start(field.programs, rounds * 8),
        "first-byte": lambda field, rounds: rows_run.first_byte(field, rounds * 8),
        "connect": rows_proxy.new_tunnels,
        "crowd": rows_proxy.crowd,
        "bulk": lambda field, rounds: rows_proxy.bulk(field, max(3, rounds // 2)),
        "http": rows_proxy.plain_http,
        "idle": lambda field, rounds: rows_proxy.idle_tunnels(field),
        "inside": rows_run.inside,
        "translation": lambda field, rounds: rows_inside.translations(field.programs),
        "decision": lambda field, rounds: rows_inside.decisions(field.programs),
    }
    parser = argparse.ArgumentParser(prog="bench/table", description=__doc__)
    parser.add_argument("build", type=Path, help="the directory of a release build with benchmarks")
    parser.add_argument("--rounds", type=int, default=9, help="how often each side is measured (default: 9)")
    parser.add_argument("--only", action="append", choices=groups, help="these rows, not all")
    arguments = parser.parse_args()

    programs = (arguments.build / "bin").resolve()
    rows = []
    with tempfile.TemporaryDirectory() as scratch, Field(programs, Path(scratch)) as field:
        # agentrun loads no plugin from below the directory in which its command may write.
        os.chdir(scratch)
        for name in arguments.only or groups:
            print(f"measuring: {name}", file=sys.stderr)
            rows += groups[name](field, arguments.rounds)
    verdict.print_table(rows)
    return 1 if any(row.verdict == "MISSED" for row in rows) else 0


sys.exit(main())
