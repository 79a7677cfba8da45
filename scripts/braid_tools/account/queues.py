"""What queueing theory leaves to say of a mean latency, computed again from the log: how far the wait at each source
and before each ejection port can be known from one window. The idle time of a source here is what lies between
packets, where the program counts what they fill."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from braid_tools.account.log import NEVER, Log, Window

Tree = dict[str, Any]
FEWEST, ENOUGH = 50, 500  # relaxation times in a window: below, nothing is said; from here on, batches say it
LEAST_PART = 0.02  # of the latency


@dataclass(frozen=True)
class Queue:
    """Cycles that it adds to the mean latency, and the relative 95 % half-width of its mean wait."""

    part: float
    width: float

    def times(self) -> float:
        """Relaxation times in the window: the variance of the mean over its square is two over them."""
        return 2 * (NormalDist().inv_cdf(0.975) / self.width) ** 2 if self.width else math.inf


def width(wait: float, idle: float, cycles: int) -> float:
    """A reflected Brownian motion of this mean at its boundary for that share of the time has a drift of `idle`, a
    variance of 2 wait idle, and over t cycles its mean has the variance variance^3 / (2 drift^4 t)."""
    if wait == 0:
        return 0.0
    if idle <= 0:
        return math.inf
    of_mean = (2 * wait * idle) ** 3 / (2 * idle**4 * cycles)
    return NormalDist().inv_cdf(0.975) * math.sqrt(of_mean) / wait


def sources(log: Log, mine: np.ndarray, window: Window) -> list[Queue]:
    """Of every node with a measured packet that arrived."""
    measured = mine & window.holds(log.created) & (log.delivered != NEVER)
    found = []
    for node in np.unique(log.source[measured]):
        here = log.source == node
        waits = (log.injected - log.created)[measured & here]
        left = mine & here & window.holds(log.left_queue)
        order = np.argsort(log.left_queue[left], kind="stable")
        made, gone = log.created[left][order], log.left_queue[left][order]
        free_from = np.concatenate([[window.begin], gone])
        wanted_from = np.concatenate([made, [window.end]])
        idle = int(np.maximum(0, wanted_from - free_from).sum())
        part = float(waits.sum()) / int(measured.sum())
        found.append(Queue(part, width(float(waits.mean()), idle / window.cycles, window.cycles)))
    return found


def ejections(one: Tree, links: list[Tree], flits: float, window: Window) -> list[Queue]:
    """Of every node that the class's packets go to; `flits` in a packet."""
    arrived = [float(rate) for rate in one["delivered_flits_per_cycle_by_node"]]
    found = []
    for rate, link in zip(arrived, links, strict=True):
        used = float(link["ejected_flits_per_cycle"])
        idle = max(0.0, 1 - used)
        wait = flits * used / link["ports"] / 2 / idle if idle else math.inf
        if rate:
            found.append(Queue(rate / sum(arrived) * wait, width(wait, idle, window.cycles)))
    return found


def unknown(queues: list[Queue], latency: float) -> bool:
    """Have queues with few relaxation times in the window a part in the latency?"""
    return sum(q.part for q in queues if q.times() < FEWEST) > LEAST_PART * latency


def least(before: list[Queue], behind: list[Queue]) -> float:
    """Half-width of what is left, in cycles: those of queues fill together, and stand behind the fullest port."""
    doubted = [q for q in behind if q.times() < ENOUGH]
    blocked = max((q.width for q in doubted), default=0.0)
    at_sources = sum(q.part * max(q.width if q.times() < ENOUGH else 0.0, blocked) for q in before)
    return at_sources + sum(q.part * q.width for q in doubted)


def allow_for_queues(one: Tree, links: list[Tree], log: Log, mine: np.ndarray, window: Window) -> None:
    """Widens the intervals of a class's latencies, or takes them back."""
    made = mine & window.holds(log.created)
    if not (made & (log.delivered != NEVER)).any():
        return
    before = sources(log, mine, window)
    behind = ejections(one, links, float(log.flits[made].mean()), window)
    for name, queues in (("packet_latency_cycles", before), ("network_latency_cycles", [])):
        estimate = one[name]
        half, mean = estimate["half_width_95"], float(estimate["mean"])
        if half.reliable and half.value is None:
            continue  # one batch
        if unknown(queues, mean) or unknown(behind, mean):
            estimate["half_width_95"] = replace(half, value=None, reliable=False)
        elif half.reliable:
            estimate["half_width_95"] = replace(half, value=max(half.value, least(queues, behind)))
    if not one["packet_latency_cycles"]["half_width_95"].reliable:
        percentiles = one["packet_latency_percentile_intervals_cycles"]
        names = [key.removesuffix("_low") for key in percentiles if key.endswith("_low")]
        percentiles.update(dict.fromkeys((f"{name}_{end}" for name in names for end in ("low", "high")), None))
        percentiles["not_reliable"] = " ".join(names)
