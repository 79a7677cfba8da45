"""All-reduces of the program against a reference of their own: every message, to the cycle in which it is created.

The reference knows the tree (its own, by breadth-first search over the structure of tb/python/rings) and the
processor: one queue, first come first served; a message costs `receive`, a value or result `event`, a message sent
`send`. How long a message is under way is taken from the packet log.
"""

from __future__ import annotations

import csv
import heapq
import json
from collections import defaultdict, deque
from pathlib import Path
from typing import Any

import pytest
from braid_tools.program import ROOT, Run, braid
from structure import Tree, diamond_ring

EXPERIMENT = ROOT / "tb" / "experiments" / "broadcast.toml"
ROUNDS = 6
BEGIN = 1  # cycle of the first task
Message = tuple[int, int, int, int]  # from, to, wave, created


def search(links: list[list[int]]) -> list[int]:
    """Breadth first from 0: each one's parent."""
    parent = [-1] * len(links)
    parent[0] = 0
    order = deque([0])
    while order:
        here = order.popleft()
        for there in links[here]:
            if parent[there] < 0:
                parent[there] = here
                order.append(there)
    return parent


def trees(scheme: str, nodes: int, arity: int) -> tuple[list[int], list[int]]:
    """Parents on the way up and on the way down."""
    if scheme == "balanced_tree":
        tree = Tree(nodes, arity)
        up = [0] + [tree.parent[p] for p in range(1, nodes)]
        return up, up
    links = diamond_ring(nodes, arity).successors
    back: list[list[int]] = [[] for _ in links]
    for here, all_there in enumerate(links):
        for there in all_there:
            back[there].append(here)
    return search(back), search(links)


class Node:
    """A processor and what it knows."""

    def __init__(self) -> None:
        self.queue: deque[tuple[str, int]] = deque()
        self.free = 0
        self.heard: defaultdict[int, int] = defaultdict(int)
        self.own: set[int] = set()


class Reference:
    """Waves: round r goes up as 2r and down as 2r + 1."""

    def __init__(
        self, up: list[int], down: list[int], costs: dict[str, int], gap: int, log: dict[Any, list[int]]
    ) -> None:
        self.up, self.costs, self.gap, self.log = up, costs, gap, log
        self.awaited = [sum(parent == p for q, parent in enumerate(up) if q) for p in range(len(up))]
        self.below = [[q for q, parent in enumerate(down) if q and parent == p] for p in range(len(up))]
        self.nodes = [Node() for _ in up]
        self.sent: list[Message] = []
        self.agenda: list[tuple[int, int, int, int, int, Any]] = []
        self.count = 0
        for p in range(len(up)):
            self.at(BEGIN, 0, p, 0, ("start", 0))

    def at(self, cycle: int, part: int, node: int, sender: int, task: Any) -> None:
        self.count += 1
        heapq.heappush(self.agenda, (cycle, part, node, sender, self.count, task))

    def run(self, end: int) -> None:
        while self.agenda and self.agenda[0][0] <= end:
            t, part, p, _, _, task = heapq.heappop(self.agenda)
            node = self.nodes[p]
            if part < 2:
                node.queue.append(task)
                if node.free <= t:
                    self.at(t, 2, p, 0, None)
            elif node.queue and node.free <= t:
                node.free = self.carry_out(t, p, *node.queue.popleft())
                self.at(node.free, 2, p, 0, None)

    def carry_out(self, t: int, p: int, kind: str, wave: int) -> int:
        node = self.nodes[p]
        if kind == "message":
            t += self.costs["receive"]
        if wave % 2 == 0:
            if kind == "start":
                t += self.costs["event"]
                node.own.add(wave)
            else:
                node.heard[wave] += 1
            if wave not in node.own or node.heard[wave] < self.awaited[p]:
                return t
            if p:
                return self.send(t, p, self.up[p], wave)
            self.at(t, 0, 0, 0, ("start", wave + 1))
            return t
        for q in self.below[p]:
            t = self.send(t, p, q, wave)
        t += self.costs["event"]
        self.at(t + self.gap, 0, p, 0, ("start", wave + 1))
        return t

    def send(self, t: int, p: int, q: int, wave: int) -> int:
        t += self.costs["send"]
        self.sent.append((p, q, wave, t))
        delivered = self.log.get((p, q, t))
        if delivered:
            self.at(delivered.pop(0) + 1, 1, q, p, ("message", wave))
        return t


CASES = [
    (4, 4, "diamond_ring", 2, {"receive": 3, "event": 5, "send": 7}, 0),
    (5, 3, "diamond_ring", 4, {"receive": 1, "event": 0, "send": 1}, 40),
    (8, 9, "diamond_ring", 3, {"receive": 19, "event": 2, "send": 93}, 0),
    (4, 4, "balanced_tree", 2, {"receive": 3, "event": 5, "send": 7}, 11),
    (7, 3, "balanced_tree", 4, {"receive": 2, "event": 9, "send": 1}, 0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[:4])))
def test_every_message_is_created_in_the_reference_s_cycle(case: tuple[Any, ...], tmp_path: Path) -> None:
    width, height, scheme, arity, costs, gap = case
    settings = {"topology.width": width, "topology.height": height, "broadcast.operation": "all_reduce",
                "broadcast.scheme": scheme, "broadcast.arity": arity, "broadcast.gap_cycles": gap, "broadcast.flits": 4,
                "broadcast.settle_cycles": 0, "broadcast.after_cycles": 0, "simulation.min_warmup_cycles": 0,
                "simulation.max_warmup_cycles": 0, "simulation.measure_cycles": 20_000,
                "simulation.batch_cycles": 20_000, "simulation.max_drain_cycles": 0}  # fmt: skip
    settings |= {f"broadcast.{name}_cycles": value for name, value in costs.items()}
    run = Run(str(case), EXPERIMENT, settings)
    file = tmp_path / "log.csv"
    results = json.loads(braid("run", run.experiment, *run.arguments(), "--quiet", "--log", file, "--json", "-"))
    with file.open(newline="") as text:
        lines = [line for line in csv.DictReader(text) if int(line["created"]) < results["cycles"]]
    program = sorted((int(n["source"]), int(n["destination"]), int(n["stream"]), int(n["created"])) for n in lines)
    log: dict[Any, list[int]] = defaultdict(list)
    for line in lines:
        if line["delivered"]:
            log[int(line["source"]), int(line["destination"]), int(line["created"])].append(int(line["delivered"]))
    nodes = width * height
    reference = Reference(*trees(scheme, nodes, arity), costs, gap, log)
    reference.run(results["cycles"] - 1)
    assert sorted(m for m in reference.sent if m[3] < results["cycles"]) == program
    assert len(program) > 2 * ROUNDS * (nodes - 1)
    assert results["broadcast"]["messages"] == 2 * (nodes - 1)
    assert results["broadcast"]["completed"] >= ROUNDS - 1
