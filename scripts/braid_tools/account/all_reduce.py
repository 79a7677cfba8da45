"""Figures of all-reduces, computed from a packet log: two trees over the scheme's links, and what every node's
processor makes of the messages that reach it (docs/diamond-rings.md).
"""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict, deque

import numpy as np

from braid_tools.account.broadcast import positions, spans
from braid_tools.account.broadcast_parts import Part, parts_of
from braid_tools.account.figures import Tree, distribution
from braid_tools.account.log import NEVER, Log, Window
from braid_tools.account.network import Network

Sent = tuple[int, int, int, int]  # wave, from, to (positions), cycle
UP, DOWN = 0, 1  # all-reduce r goes up as wave 2 r and down as wave 2 r + 1


def tree_of(links: list[list[int]]) -> list[int]:
    """From whom each position is reached by a shortest way from 0; who is reached first comes first."""
    above = [0] + [NEVER] * (len(links) - 1)
    order = deque([0])
    while order:
        here = order.popleft()
        for there in links[here]:
            if above[there] == NEVER:
                above[there] = here
                order.append(there)
    return above


def trees_of(parts: list[Part]) -> tuple[list[int], list[int]]:
    """Whom each position tells on the way up, and from whom it hears on the way down."""
    told = [part.at_once + part.when_done for part in parts]
    heard = [[p for p, others in enumerate(told) for other in others if other == q] for q in range(len(parts))]
    return tree_of(heard), tree_of(told)


def depth(above: list[int]) -> int:
    """Links from the farthest position to 0."""

    def links(position: int) -> int:
        return 1 + links(above[position]) if position else 0

    return max(map(links, range(len(above))))


class Processor:
    """Of one position over a whole run: one queue of tasks, first come first served. Arrivals come from the log; the
    rest follows from the costs."""

    def __init__(self, position: int, options: Tree, up: list[int], down: list[int]):
        self.position, self.cost = position, {key[:-7]: v for key, v in options.items() if key.endswith("_cycles")}
        self.above = up[position]
        self.awaited = sum(above == position for p, above in enumerate(up) if p)
        self.below = [p for p, above in enumerate(down) if p and above == position]
        self.agenda: list[tuple[int, bool, int, int, str, int]] = []
        self.count = itertools.count()
        self.queue: deque[tuple[str, int]] = deque()
        self.free = 0
        self.missing: defaultdict[int, int] = defaultdict(
            lambda: self.awaited + 1
        )  # by wave up, its own value included
        self.sent: list[Sent] = []
        self.begins: list[int] = []  # by all-reduce
        self.ends: list[int] = []

    def run(self, arrivals: list[tuple[int, int, int]], end: int) -> Processor:
        """`arrivals`: cycle of delivery, from whom, wave."""
        self.at(1, "start", UP)
        for cycle, sender, wave in arrivals:
            heapq.heappush(self.agenda, (cycle + 1, True, sender, next(self.count), "message", wave))
        while self.agenda and self.agenda[0][0] < end:
            now = self.agenda[0][0]
            while self.agenda and self.agenda[0][0] == now:
                task = heapq.heappop(self.agenda)[-2:]
                if task[0] != "free":
                    self.queue.append(task)
            if self.queue and self.free <= now:
                self.free = self.carry_out(now, *self.queue.popleft())
                self.at(max(self.free, now), "free", 0)
        return self

    def at(self, cycle: int, what: str, wave: int) -> None:
        """What it asks of itself comes before arrivals."""
        heapq.heappush(self.agenda, (cycle, False, 0, next(self.count), what, wave))

    def carry_out(self, t: int, kind: str, wave: int) -> int:
        """A task from its begin to its end."""
        if kind == "message":
            return self.go_on(wave, t + self.cost["receive"]) + self.cost["after"]
        if wave % 2 == UP:
            self.begins.append(t)
            t += self.cost["event"]
        return self.go_on(wave, t)

    def go_on(self, wave: int, t: int) -> int:
        """A value more, or the result."""
        if wave % 2 == UP:
            self.missing[wave] -= 1
            if self.missing[wave]:
                return t
            if self.position:
                t = self.send(wave, self.above, t)
            else:
                self.at(t, "start", wave + 1)
            return t + self.cost["settle"]
        for other in self.below:
            t = self.send(wave, other, t)
        t += self.cost["event"]
        self.ends.append(t)
        self.at(t + self.cost["gap"], "start", wave + 1)
        return t + self.cost["settle"]

    def send(self, wave: int, to: int, t: int) -> int:
        """A message is in the network when its cycles are over."""
        t += self.cost["send"]
        self.sent.append((wave, self.position, to, t))
        return t


def all_reduce(log: Log, window: Window, network: Network, options: Tree, end: int, complaints: list[str]) -> Tree:
    """All figures of [broadcast] with `operation = "all_reduce"`."""
    parts = parts_of(options, network)
    mine = np.flatnonzero((log.kind == "value") | (log.kind == "result"))
    at = positions(log, mine, parts, options, network)
    up, down = trees_of(parts)
    logged: list[Sent] = []
    arrivals: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for i in mine.tolist():
        wave, source, destination = int(log.stream[i]), at[int(log.source[i])], at[int(log.destination[i])]
        logged.append((wave, source, destination, int(log.created[i])))
        if (log.kind[i] == "result") != (wave % 2 == DOWN):
            complaints.append(f"broadcast: wave {wave} carries a {log.kind[i]}")
        if log.delivered[i] != NEVER:
            arrivals[destination].append((int(log.delivered[i]), source, wave))
    nodes = [Processor(p, options, up, down).run(sorted(arrivals[p]), end) for p in range(len(parts))]
    sent = [message for node in nodes for message in node.sent if message[-1] < end]
    if sorted(sent) != sorted(logged):
        complaints.append(f"broadcast: values and results differ, {sorted(set(sent) ^ set(logged))[:3]}")
    rounds = min(len(node.ends) for node in nodes)
    whole = [(min(node.begins[r] for node in nodes), max(node.ends[r] for node in nodes)) for r in range(rounds)]
    lengths = distribution(spans(whole, window))
    none = distribution(np.array([], dtype=np.int64))
    return {
        "scheme": options["scheme"],
        "positions": len(parts),
        "messages": 2 * (len(parts) - 1),
        "longest_path": depth(up) + depth(down),
        "completed": lengths["count"],
        "broadcasts_per_kilocycle": {"mean": None, "half_width_95": None},
        "latency_cycles": lengths,
        "burst_cycles": none,
        "burst_broadcasts_per_kilocycle": None,
        "unacknowledged": [],
        "refused": [],
    }
