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


def _judge(values: list[float], goal: float, is_at_least: bool) -> str:
    """A goal is missed when the better quartile of the rounds misses it too; else it may have been the noise."""
    low, middle, high = quartiles(values)
    if (middle >= goal) if is_at_least else (middle <= goal):
        return "ok"
    if (high >= goal) if is_at_least else (low <= goal):
        return "within noise"
    return "MISSED"


def _row(what: str, values: list[float], goal: float, is_at_least: bool, unit: str, digits: int,
         bound: list[float] | None) -> Row:
    """`bound` is what the bare relay reached in the same rounds. Where that misses the goal itself, the machine has not
    got it to give, and what counts is to come close to the bound."""
    sign = ">=" if is_at_least else "<="
    text = f"{sign} {goal:g}{unit}"
    if bound is not None and _judge(bound, goal, is_at_least) == "MISSED":
        reached = quartiles(bound)[1]
        text += f"; the bare relay: {reached:.{digits}f}{unit}"
        goal = reached * (0.95 if is_at_least else 1.1)
    return Row(what, spread(values, unit, digits), text, _judge(values, goal, is_at_least))


def at_least(what: str, values: list[float], goal: float, unit: str, digits: int = 2,
             bound: list[float] | None = None) -> Row:
    return _row(what, values, goal, True, unit, digits, bound)


def at_most(what: str, values: list[float], goal: float, unit: str, digits: int = 2,
            bound: list[float] | None = None) -> Row:
    return _row(what, values, goal, False, unit, digits, bound)


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
