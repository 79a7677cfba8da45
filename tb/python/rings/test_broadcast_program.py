"""The program's broadcasts against the reference: every message, to the cycle in which it is created.

The network's part, how long a message is under way, is taken from the packet log; all else is the reference's: who
tells whom, in which order, when.
"""

import csv
import itertools
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from braid_tools.program import ROOT, Run, braid
from simulate import FILL_ARRIVED, ROOM, Costs, Simulation, Task
from structure import LogPTree, Multicast, Ring, Tree, diamond_ring

EXPERIMENT = ROOT / "tb" / "experiments" / "broadcast.toml"
TILE = Costs(receive=19, event=2, send=93, settle=242, after=94)
ODD = Costs(receive=3, event=17, send=5, settle=11, after=7, issue=13, order=2)
BEGIN = 1  # cycle of the root's first task in the program; 0 in the reference

CASES = [
    # width, height, scheme, arity, costs, burst, settings
    (8, 9, "diamond_ring", 2, TILE, 1, {}),
    (8, 9, "diamond_ring", 6, TILE, 20, {}),
    (8, 9, "balanced_tree", 2, TILE, 20, {}),
    (4, 4, "diamond_ring", 1, ODD, 12, {}),
    (4, 4, "diamond_ring", 2, ODD, 12, {"queued_events": True}),
    (4, 4, "diamond_ring", 3, ODD, 30, {"sequenced": True}),
    (4, 4, "diamond_ring", 2, ODD, 30, {"sequenced": True, "queued_events": True}),
    (5, 3, "diamond_ring", 4, ODD, 9, {"companion": True}),
    (5, 5, "diamond_ring", 3, ODD, 9, {"merge_parallel": True}),
    (7, 2, "diamond_ring", 2, ODD, 9, {"companion": True, "merge_parallel": True, "queued_events": True}),
    (7, 3, "balanced_tree", 3, ODD, 25, {"queued_events": True}),
    (3, 3, "balanced_tree", 1, ODD, 5, {}),
    (2, 1, "diamond_ring", 3, ODD, 4, {}),
    (5, 5, "diamond_ring", 3, ODD, 9, {"contamination": "add"}),
    (8, 9, "diamond_ring", 4, TILE, 5, {"contamination": "add", "companion": True}),
    (8, 9, "logp_tree", 0, TILE, 3, {"logp_latency_cycles": 20, "logp_overhead_cycles": 56, "logp_gap_cycles": 93}),
    (5, 4, "logp_tree", 0, ODD, 12, {"logp_latency_cycles": 14, "logp_overhead_cycles": 4, "logp_gap_cycles": 3}),
    (4, 4, "diamond_ring", 2, ODD, 12, {"queued_events": True, "own_tasks": "before_messages"}),
    (4, 4, "diamond_ring", 3, ODD, 30, {"queued_events": True, "own_tasks": "after_messages"}),
    (4, 4, "diamond_ring", 3, ODD, 30, {"queued_events": True, "own_tasks": "after_messages", "last_task_first": True}),
    (
        4,
        4,
        "balanced_tree",
        2,
        ODD,
        30,
        {"queued_events": True, "own_tasks": "after_messages", "last_task_first": True},
    ),
    (4, 4, "diamond_ring", 3, ODD, 30, {"sequenced": True, "queued_events": True, "own_tasks": "after_messages"}),
    (4, 4, "diamond_ring", 2, ODD, 30, {"buffer_messages": 1}),
    (5, 5, "diamond_ring", 3, ODD, 30, {"buffer_messages": 1, "queued_events": True}),
    (4, 4, "diamond_ring", 2, ODD, 30, {"buffer_messages": 2, "sequenced": True, "own_tasks": "after_messages"}),
    (4, 4, "balanced_tree", 3, ODD, 30, {"buffer_messages": 1}),
    (4, 3, "balanced_tree", 2, ODD, 30, {"buffer_messages": 3, "queued_events": True, "own_tasks": "after_messages"}),
    (4, 4, "router_multicast", 0, ODD, 1, {}),
    (5, 3, "router_multicast", 0, ODD, 12, {"queued_events": True, "flits": 4}),
    (8, 9, "router_multicast", 0, TILE, 5, {"root": 0}),
    (4, 4, "router_multicast", 0, ODD, 12, {"sequenced": True, "queued_events": True, "own_tasks": "after_messages"}),
]


class Recorded(Simulation):
    """Keeps (sender, receiver, broadcast, cycle) of every message, and finds its delay in the program's log."""

    log: dict[tuple[str, int, int, int], list[int]]  # kind, sender, receiver, cycle of creation: cycles of delivery

    def _depart(self, t: int, sender: int, receiver: int, task: Task) -> None:
        self._find(t, "broadcast", sender, receiver, task, FILL_ARRIVED)

    def _say_room(self, t: int, receiver: int, sender: int, task: Task) -> None:
        self._find(t, "room", receiver, sender, task, ROOM)

    def _find(self, t: int, kind: str, sender: int, receiver: int, task: Task, part: int) -> None:
        self.sent.append((kind, sender, receiver, task.broadcast, t + BEGIN))
        found = self.log.get((kind, sender, receiver, t + BEGIN))
        if found:
            self._at(found.pop(0) + 1 - BEGIN, part, receiver, sender, task)
        else:
            self.missing.append(self.sent[-1])


def graph_of(scheme: str, nodes: int, arity: int, settings: dict[str, Any]) -> Ring | Tree:
    """The reference's own."""
    if scheme == "balanced_tree":
        return Tree(nodes, arity)
    if scheme == "router_multicast":
        return Multicast(nodes)
    if scheme == "logp_tree":
        return LogPTree(nodes, 0, *(settings[f"logp_{name}_cycles"] for name in ("latency", "overhead", "gap")))
    wanted = {"companion": settings.get("companion", False), "merged": settings.get("merge_parallel", False),
              "added": settings.get("contamination") == "add"}  # fmt: skip
    return diamond_ring(nodes, arity, **wanted)


def run_of(case: tuple[Any, ...], **more: Any) -> Run:
    """One burst from a cold start."""
    width, height, scheme, arity, costs, burst, settings = case
    keys = {"topology.width": width, "topology.height": height, "broadcast.scheme": scheme,
            **({"broadcast.arity": arity} if arity else {}), "broadcast.burst": burst,
            "broadcast.gap_cycles": 1_000_000, "simulation.min_warmup_cycles": 0,
            "simulation.max_warmup_cycles": 0, "simulation.measure_cycles": 60_000,
            "simulation.batch_cycles": 60_000}  # fmt: skip
    for name in ("receive", "event", "send", "settle", "after", "issue", "order"):
        keys[f"broadcast.{name}_cycles"] = getattr(costs, name)
    return Run(str(case), EXPERIMENT, keys | {f"broadcast.{k}": v for k, v in settings.items()} | more)


def messages_of(run: Run, folder: Path) -> tuple[list[tuple[str, int, int, int, int, int]], Any]:
    """(kind, sender, receiver, broadcast, created, delivered) each, and the results."""
    log = folder / "log.csv"
    results = json.loads(braid("run", run.experiment, *run.arguments(), "--quiet", "--log", log, "--json", "-"))
    with log.open(newline="") as text:
        names = ("source", "destination", "stream", "created", "delivered")
        lines = [(line["kind"], *(int(line[name]) for name in names)) for line in csv.DictReader(text)]
        return lines, results  # type: ignore[return-value]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: "-".join(map(str, case[:4])) + "".join(f"-{k}" for k in case[6])
)
def test_every_message_is_created_in_the_reference_s_cycle(case: tuple[Any, ...], tmp_path: Path) -> None:
    messages, results = messages_of(run_of(case), tmp_path)
    width, height, scheme, arity, costs, burst, settings = case
    graph = graph_of(scheme, width * height, arity, settings)
    assert results["broadcast"]["positions"] == graph.n
    assert results["broadcast"]["messages"] == graph.messages
    assert results["broadcast"]["longest_path"] == graph.hops()
    simulation = Recorded(graph, costs, lambda *_: 1, burst, queued=settings.get("queued_events", False),
                          sequenced=settings.get("sequenced", False),
                          own=settings.get("own_tasks", "with_messages").removesuffix("_messages"),
                          last_task_first=settings.get("last_task_first", False),
                          buffers=settings.get("buffer_messages", 0))  # fmt: skip
    log = defaultdict(list)
    for kind, sender, receiver, _, created, delivered in sorted(messages, key=lambda m: m[5]):
        log[kind, sender, receiver, created].append(delivered)
    simulation.log, simulation.sent, simulation.missing = log, [], []
    try:
        simulation.run()
    finally:
        assert not simulation.missing, simulation.missing[:5]
    assert sorted(simulation.sent) == sorted(m[:5] for m in messages)
    copies = len(graph.children[0]) - 1 if isinstance(graph, Multicast) else 0
    assert len(simulation.sent) == burst * (graph.messages + copies) * (2 if "buffer_messages" in settings else 1)
    completed = sorted(simulation.completed.values())
    assert results["broadcast"]["completed"] == burst
    assert results["broadcast"]["burst_cycles"]["max"] == completed[-1]
    if burst == 1:
        assert results["broadcast"]["latency_cycles"]["max"] == completed[0]


def test_parts_and_costs_matter(tmp_path: Path) -> None:
    """The comparison can fail: another cost, another arity, another order is seen."""
    case = CASES[4]
    messages, _ = messages_of(run_of(case), tmp_path)
    others = [{"broadcast.after_cycles": 8}, {"broadcast.arity": 3}, {"broadcast.queued_events": False},
              {"broadcast.issue_cycles": 12}, {"broadcast.settle_cycles": 12},
              {"broadcast.contamination": "add"}, {"broadcast.own_tasks": "after_messages"},
              {"broadcast.buffer_messages": 1}]  # fmt: skip
    for other in others:
        changed, _ = messages_of(run_of(case, **other), tmp_path)
        assert sorted(m[:5] for m in changed) != sorted(m[:5] for m in messages), other


def test_every_schedule_sends_the_same(tmp_path: Path) -> None:
    case = CASES[5]
    runs = [
        messages_of(run_of(case, **more), tmp_path)[0] for more in ({}, {"simulation.schedule": "process_per_stage"})
    ]
    assert all(sorted(a) == sorted(b) for a, b in itertools.pairwise(runs))
