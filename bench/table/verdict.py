"""What a measured series says about a goal."""

import statistics
from dataclasses import dataclass


@dataclass
class Row:
    what: str
    measured: str = ""
    goal: str = ""
    verdict: str = ""


def quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def _judge(values: list[float], goal: float, at_least: bool) -> str:
    """A goal is missed when the better quartile of the rounds misses it too; else it may have been the noise."""
    low, middle, high = quartiles(values)
    if (middle >= goal) if at_least else (middle <= goal):
        return "ok"
    if (high >= goal) if at_least else (low <= goal):
        return "within noise"
    return "MISSED"


def at_least(what: str, values: list[float], goal: float, unit: str, digits: int = 2) -> Row:
    return Row(what, spread(values, unit, digits), f">= {goal:g}{unit}", _judge(values, goal, True))


def at_most(what: str, values: list[float], goal: float, unit: str, digits: int = 2) -> Row:
    return Row(what, spread(values, unit, digits), f"<= {goal:g}{unit}", _judge(values, goal, False))


def spread(values: list[float], unit: str, digits: int = 2) -> str:
    low, middle, high = quartiles(values)
    if len(values) == 1:
        return f"{middle:.{digits}f}{unit}"
    return f"{middle:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def none(what: str, count: int) -> Row:
    return Row(what, str(count), "0", "ok" if count == 0 else "MISSED")


def print_table(rows: list[Row]) -> None:
    cells = [("what", "measured, median (quartiles)", "goal", "verdict")]
    cells += [(row.what, row.measured, row.goal, row.verdict) for row in rows]
    widths = [max(len(cell[column]) for cell in cells) for column in range(4)]
    for cell in cells:
        print("  ".join(text.ljust(width) for text, width in zip(cell, widths)).rstrip())
