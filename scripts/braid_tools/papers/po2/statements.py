"""How a sentence of po2-message-scheduling becomes a row of comparison.csv."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from braid_tools.comparison import Explanation, Row
from braid_tools.papers.po2.points import FIFO, ROUTINGS, SHORT, Figures, Point, Runs

DETERMINISTIC, BEST, DEROUTING = ROUTINGS
NAMES = {DETERMINISTIC: "deterministic", BEST: "best paths", DEROUTING: "derouting"}
MOST_RISE = 1e4  # in confidence intervals: no figure of the paper rises by more
Figure = Callable[[Figures], float]


def holds(figure: str, statement: str, *, true: bool, note: str = "") -> Row:
    """A comparison in words: published 1, measured 1 if it holds."""
    return Row(figure, statement, "holds", 1, int(true), 0.0, note)


def order(figure: str, what: str, values: list[float], note: str = "") -> Row:
    """The values ascend strictly; the row says what they are."""
    whole = max(values) >= 100 or all(value == round(value) for value in values)
    digits = 0 if whole else 1 if max(values) >= 10 else 2
    numbers = " < ".join(f"{value:.{digits}f}" for value in values)
    true = all(a < b for a, b in pairwise(values))
    return holds(figure, f"{what} ({numbers})", true=true, note=note)


def order_beyond_noise(figure: str, what: str, of: Figure, noise: Figure, points: list[Figures]) -> Row:
    """The values ascend. Measured is the least rise, in confidence intervals (95 %) of its two ends; a fall by no more
    than one is explained by them."""
    known = all(noise(f) is not None for f in points)  # null: an interval that cannot be relied on, so nothing is told
    rises = [(of(b) - of(a)) / (noise(a) + noise(b)) for a, b in pairwise(points)] if known else []
    shown = ", ".join(f"{of(f):.1f} +- {noise(f):.1f}" if known else f"{of(f):.1f}" for f in points)
    equal = Explanation("equal within the 95 % confidence", -0.5, 0.5)
    what = f"{what} ({shown}), least rise over its confidence interval"
    return Row(figure, what, "1", 0, min(rises, default=None), 0.0, explanation=equal, quote="an order", most=MOST_RISE)


def at_every_load(figure: str, what: str, loads: list[float], values: Callable[[float], list[float]]) -> Row:
    """The values ascend at every load; if not, the row says where they do not."""
    failing = [u for u in loads if not all(a < b for a, b in pairwise(values(u)))]
    where = "; ".join(f"not at u = {u:g}: " + ", ".join(f"{value:.0f}" for value in values(u)) for u in failing)
    at = f"u = {loads[0]:g} to {loads[-1]:g}"
    return holds(figure, f"{what}, {at}" + (f" ({where})" if where else ""), true=not failing)


def spread(values: list[float]) -> float:
    """The largest over the smallest."""
    return max(values) / min(values)


def gain(runs: Runs, routing: str, alpha: float, of: Figure, share: float = SHORT) -> float:
    """Latency under FIFO over that under alpha scheduling."""
    return of(runs[Point(routing, FIFO, share)]) / of(runs[Point(routing, alpha, share)])
