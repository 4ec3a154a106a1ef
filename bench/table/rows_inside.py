"""The rows about what runs within one process, from the Google Benchmark programs."""

import json
import subprocess
from pathlib import Path

import verdict
from verdict import Row

REPETITIONS = 5


def _benchmark(programs: Path, program: str, pattern: str) -> dict[str, list[dict]]:
    argv = [str(programs / program), "--benchmark_format=json", f"--benchmark_filter={pattern}",
            f"--benchmark_repetitions={REPETITIONS}", "--benchmark_min_time=0.1"]
    output = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    seen: dict[str, list[dict]] = {}
    for entry in json.loads(output)["benchmarks"]:
        if entry["run_type"] == "iteration":
            seen.setdefault(entry["run_name"], []).append(entry)
    return seen


def decisions(programs: Path) -> list[Row]:
    rows = [Row("one host decision")]
    seen = _benchmark(programs, "bench_host_decision", "^(exact_hit|wildcard_hit|miss)/(10|100000)$")
    for name, entries in seen.items():
        kind, rules = name.split("/")
        rows.append(verdict.at_most(f"  {rules} rules, {kind.replace('_', ' ')}",
                                    [entry["cpu_time"] for entry in entries], 60 if rules == "10" else 120, " ns", 0))
    return rows


def translations(programs: Path) -> list[Row]:
    rows = [Row("output translation, one core")]
    seen = _benchmark(programs, "bench_translation", ".")
    for name, entries in sorted(seen.items()):
        without_events = name.endswith("_no_line_becomes_an_event")
        runtime = name.removeprefix("translate/").removesuffix("_no_line_becomes_an_event").removesuffix(
            "_all_lines_become_events")
        rows.append(verdict.at_least(
            f"  {runtime}, " + ("lines that need no event" if without_events else "lines that all become events"),
            [entry["bytes_per_second"] / 1e9 for entry in entries], 1.4 if without_events else 0.5, " GB/s"))
    return rows
