"""What a run says of itself, computed again: intervals of batch means, saturation, starvation, warnings. Exact sums of
fractions where the program has floating point, and another way to each formula."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np

from braid_tools.account.log import NEVER, Log, Window
from braid_tools.student import student_t

Tree = dict[str, Any]
FEWEST_TESTED = 8
CONFIDENCE = 0.8  # of von Neumann's test: independent batches pass it so often


class Batches:
    """Sums and counts by batch, made longer until their means pass for independent."""

    def __init__(self, sums: list[Fraction], counts: list[int]) -> None:
        self.reliable = True
        self.grouped = False
        while True:
            self.means = [s / c for s, c in zip(sums, counts, strict=True) if c]
            if len(self.means) < FEWEST_TESTED or self.independent():
                return
            sums, counts = longer(sums), longer(counts)
            if sum(1 for c in counts if c) < FEWEST_TESTED:
                self.reliable = False
                return
            self.grouped = True

    def deviations(self) -> list[Fraction]:
        """From the mean of the means."""
        mean = sum(self.means, Fraction(0)) / len(self.means)
        return [m - mean for m in self.means]

    def independent(self) -> bool:
        """Von Neumann's ratio of the mean squared step to the variance, against its normal limit."""
        away = self.deviations()
        squares = sum(a * a for a in away)
        if squares == 0:
            return True
        steps = sum((b - a) ** 2 for a, b in pairwise(away))
        n = len(away)
        deviation = math.sqrt((n - 2) / (n * n - 1))
        return float(1 - steps / (2 * squares)) <= NormalDist().inv_cdf(CONFIDENCE) * deviation

    def standard_error(self) -> float | None:
        """None of one batch."""
        away = self.deviations()
        n = len(away)
        if n < 2:
            return None
        squares = sum(a * a for a in away)
        rest = 0.0
        if n >= FEWEST_TESTED and squares:
            rest = max(0.0, float(sum(a * b for a, b in pairwise(away)) / squares))
        return math.sqrt(squares / (n - 1) / n) * math.sqrt((1 + rest) / (1 - rest))

    def half_width(self, inside: float = 0.95, least_error: float = 0.0) -> float | None:
        """Of the interval that holds with this probability, the standard error being no less than that."""
        error = self.standard_error()
        return None if error is None else student_t(len(self.means) - 1, inside) * max(error, least_error)

    def printed(self, least_error: float = 0.0) -> float | None:
        """Of a mean's 95 %, as wide as their skewness asks where batches were grouped; no less than with that error."""
        error, n = self.standard_error(), len(self.means)
        if error is None:
            return None
        t = student_t(n - 1, 0.95)
        away = self.deviations()
        variance = float(sum(a * a for a in away)) / (n - 1)
        factor = t
        if self.grouped and variance > 0:
            skewness = n / (n - 1) / (n - 2) * float(sum(a**3 for a in away)) / variance**1.5
            lean = abs(skewness) / 6 / math.sqrt(n)
            if lean > 1e-9:
                factor = max(t, (1 - math.cbrt(1 - 6 * lean * t - 6 * lean**2)) / 2 / lean)
        return max(factor * error, t * least_error)


def longer(values: list[Any]) -> list[Any]:
    """Two neighbours in one; an odd last one goes with the last pair."""
    pairs = [a + b for a, b in zip(values[::2], values[1::2], strict=False)]
    if len(values) % 2 and pairs:
        pairs[-1] += values[-1]
    return pairs


def saturation(log: Log, mine: np.ndarray, window: Window, nodes: int, drained: int) -> Tree:
    """The verdict over packets of a class whose sources never had to wait; `drained`: the cycle in which the run
    ended."""
    made_at, came_at = mine & window.holds(log.created), mine & window.holds(log.delivered)
    made = by_batch(log, made_at, log.created, window)
    came = by_batch(log, came_at, log.delivered, window)
    cycles = nodes * window.batch
    changes = [Fraction(m - c, cycles) for m, c in zip(made, came, strict=True)]
    demanded = Fraction(sum(made), cycles * window.batches)
    packets = int(made_at.sum())
    arrivals = sum(made) / math.sqrt(packets) / (cycles * window.batches) if packets else 0.0
    steps = Batches(changes, [1] * len(changes))
    width = steps.half_width(0.8, arrivals if len(steps.means) < FEWEST_TESTED else 0.0)
    shortfall = sum(changes, Fraction(0)) / len(changes)
    growth = slope(changes)
    over = np.maximum(log.delivered, log.lost)
    undrained = int((made_at & ((over == NEVER) | (over >= drained))).sum())
    reason = "none"
    if undrained:
        reason = "packets not drained"
    elif width is not None and shortfall > demanded / 200 and float(shortfall) > width:
        reason = "accepted below offered"
    elif width is not None and growth > demanded / 200 and float(growth) > math.sqrt(1.2) * width:
        reason = "backlog grows"
    return {
        "saturated": reason != "none",
        "demanded": demanded,
        "shortfall": Near(float(shortfall), float(demanded)),
        "shortfall_at_least": None if width is None else Near(float(shortfall) - width, float(demanded)),
        "backlog_growth": growth,
        "backlog_growth_at_least": None
        if width is None
        else Near(float(growth) - math.sqrt(1.2) * width, float(demanded)),
        "undrained_packets": undrained,
        "reason": reason,
    }


class Near(float):
    """A difference of numbers of the size of `scale`, whose last digits are rounding."""

    def __new__(cls, value: float, scale: float) -> Near:
        """As a number it is `value`."""
        made = super().__new__(cls, value)
        made.scale = scale
        return made


def slope(changes: list[Fraction]) -> Fraction:
    """Of the least squares line through the backlog at the begin of the window and at the end of every batch."""
    backlog = [Fraction(0)]
    for change in changes:
        backlog.append(backlog[-1] + change)
    n = len(backlog)
    times = sum(range(n))
    squares = sum(t * t for t in range(n))
    product = sum(t * b for t, b in enumerate(backlog))
    return (n * product - times * sum(backlog)) / (n * squares - times * times)


def by_batch(log: Log, which: np.ndarray, cycle: np.ndarray, window: Window) -> list[int]:
    """Flits."""
    numbers = window.batch_of(cycle[which])
    return [int(log.flits[which][numbers == b].sum()) for b in range(window.batches)]


def oldest(log: Log, mine: np.ndarray, window: Window) -> Tree:
    """What had waited or travelled longest when the window ended."""
    over = np.maximum(log.delivered, log.lost)
    left = mine & (log.created < window.end) & ((over == NEVER) | (over >= window.end))
    if not left.any():
        return {"oldest_age_cycles": None, "oldest_source": 0}
    made = int(log.created[left].min())
    return {
        "oldest_age_cycles": window.end - made,
        "oldest_source": int(log.source[left & (log.created == made)].min()),
    }


def starvation(log: Log, mine: np.ndarray, window: Window, nodes: int) -> Tree:
    """Who sent less than a tenth of the packets that it made, of those that made ten."""
    made = np.bincount(log.source[mine & window.holds(log.created)], minlength=nodes)
    sent = np.bincount(log.source[mine & window.holds(log.left_queue)], minlength=nodes)
    shares = {n: Fraction(int(sent[n]), int(made[n])) for n in range(nodes) if made[n] >= 10}
    if not shares:
        return {"nodes": 0, "least_share": None, "worst_node": 0, **oldest(log, mine, window)}
    worst = min(shares, key=lambda n: (shares[n], n))
    return {
        "nodes": sum(share < Fraction(1, 10) for share in shares.values()),
        "least_share": shares[worst],
        "worst_node": worst,
        **oldest(log, mine, window),
    }


def warnings(expected: Tree, theirs: list[Tree], messages: bool) -> list[Tree]:
    """Code and place of every warning that the figures call for; the sentences are as they are."""
    found: list[tuple[str, str]] = []
    if expected.get("setup", {}).get("fell_back_to_packets"):
        found.append(("fallen_back", "setup"))
    if not expected["steady"]:
        found.append(("unsteady", "run"))
    found += [("saturated", c["name"]) for c in expected["classes"] if c.get("saturation", {}).get("saturated")]
    for c in expected["classes"]:
        if c["starvation"]["nodes"]:
            found.append(("starved", c["name"]))
        if c.get("saturation", {}).get("saturated"):
            continue
        latency = c["packet_latency_cycles"]
        if not latency["half_width_95"].reliable:
            found.append(("unreliable", c["name"]))
        elif latency["half_width_95"].value is not None and latency["half_width_95"].value > 0.1 * latency["mean"]:
            found.append(("wide", c["name"]))
        queue, network = c["queue_latency_mean_cycles"], c["network_latency_cycles"]["mean"]
        if not messages and queue is not None and queue > network:
            found.append(("queued", c["name"]))
    texts = [w["text"] for w in theirs] + [""] * len(found)
    return [{"code": code, "text": text, "place": place} for (code, place), text in zip(found, texts, strict=False)]
