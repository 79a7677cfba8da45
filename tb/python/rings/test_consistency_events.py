"""The program's consistency events against the reference: every message, to the cycle in which it is created, until the
end of the run. How long a message is under way is taken from the packet log; all else is the reference's."""

import csv
import json
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from braid_tools.program import ROOT, Run, braid
from events import WORDS, Events
from simulate import Costs
from structure import Ring, Tree, diamond_ring

EXPERIMENT = ROOT / "tb" / "experiments" / "broadcast.toml"
ODD = Costs(receive=3, event=17, send=5, settle=11, after=7, issue=13)
ORDERED = Costs(receive=3, event=17, send=5, settle=11, after=7, issue=13, order=2)
BEGIN = 1  # cycle of the first task in the program; 0 in the reference
CYCLES = 6000

CASES = [
    # width, height, scheme, arity, operation, roots, requesters, costs, burst, gap
    (2, 1, "diamond_ring", 2, "shoot_down", [0, 1], None, ODD, 1, 0),
    (4, 4, "diamond_ring", 2, "shoot_down", [3, 9], None, ODD, 1, 0),
    (4, 4, "diamond_ring", 3, "shoot_down", [0, 5, 10, 15], None, ODD, 4, 50),
    (3, 3, "balanced_tree", 2, "shoot_down", [8, 0, 4], None, ODD, 2, 10),
    (2, 1, "diamond_ring", 2, "ownership", [0], [1], ODD, 1, 0),
    (4, 4, "diamond_ring", 2, "ownership", [0], None, ORDERED, 1, 0),
    (4, 4, "diamond_ring", 2, "ownership", [6, 1], [0, 1, 2, 9, 15], ORDERED, 1, 40),
    (3, 3, "balanced_tree", 3, "ownership", [4], None, ORDERED, 1, 7),
    (2, 1, "diamond_ring", 2, "atomic_update", [0], [1], ODD, 1, 0),
    (4, 3, "diamond_ring", 3, "atomic_update", [11, 2, 7], None, ORDERED, 1, 0),
    (4, 4, "diamond_ring", 1, "atomic_update", [5], [5, 6], ORDERED, 1, 100),
]


def run_of(case: tuple[Any, ...], **more: Any) -> Run:
    width, height, scheme, arity, operation, roots, requesters, costs, burst, gap = case
    keys = {"topology.width": width, "topology.height": height, "broadcast.scheme": scheme,
            "broadcast.arity": arity, "broadcast.operation": operation, "broadcast.roots": roots,
            "broadcast.gap_cycles": gap, "simulation.min_warmup_cycles": 0, "simulation.max_warmup_cycles": 0,
            "simulation.measure_cycles": CYCLES, "simulation.batch_cycles": CYCLES}  # fmt: skip
    for name in ("receive", "event", "send", "settle", "after", "issue"):
        keys[f"broadcast.{name}_cycles"] = getattr(costs, name)
    if operation == "shoot_down":
        keys["broadcast.burst"] = burst
    else:
        keys["broadcast.order_cycles"] = costs.order
    if requesters is not None:
        keys["broadcast.requesters"] = requesters
    return Run(str(case), EXPERIMENT, keys | more)


def messages_of(run: Run, folder: Path) -> tuple[list[tuple[str, int, int, int, int, int | None]], Any]:
    """(kind, sender, receiver, broadcast, created, delivered) of those created while measuring, and the results."""
    log = folder / "log.csv"
    results = json.loads(braid("run", run.experiment, *run.arguments(), "--quiet", "--log", log, "--json", "-"))
    with log.open(newline="") as text:
        names = ("source", "destination", "stream", "created")
        lines = [
            (line["kind"], *(int(line[n]) for n in names), int(line["delivered"]) if line["delivered"] else None)
            for line in csv.DictReader(text)
            if line["kind"] in WORDS  # and not of traffic beside them
        ]
        return [line for line in lines if line[4] <= CYCLES], results  # type: ignore[return-value, misc, operator]


class Recorded(Events):
    """Finds delays in the program's log: by what a message is and the cycle of its creation, those of delivery."""

    log: dict[tuple[str, int, int, int, int], list[int | None]]
    missing: list[tuple[str, int, int, int, int]]

    def delay(self, word: str, sender: int, receiver: int, broadcast: int, cycle: int) -> int | None:
        key = (word, sender, receiver, broadcast, cycle + BEGIN)
        if not self.log.get(key):
            self.missing.append(key)
            return None
        delivered = self.log[key].pop(0)
        return None if delivered is None else delivered + 1 - BEGIN - cycle


def reference(case: tuple[Any, ...], messages: list[tuple[str, int, int, int, int, int | None]]) -> Recorded:
    width, height, scheme, arity, operation, roots, requesters, costs, burst, gap = case
    nodes = width * height
    graph: Any = partial(Tree, nodes, arity) if scheme == "balanced_tree" else partial(diamond_ring, nodes, arity)
    events = Recorded(graph, roots, operation, costs, requesters, burst, gap, CYCLES - BEGIN)
    events.log, events.missing = defaultdict(list), []
    for word, sender, receiver, broadcast, created, delivered in messages:
        events.log[word, sender, receiver, broadcast, created].append(delivered)
    events.run()
    return events


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[:7])))
def test_every_message_is_created_in_the_reference_s_cycle(case: tuple[Any, ...], tmp_path: Path) -> None:
    messages, results = messages_of(run_of(case), tmp_path)
    events = reference(case, messages)
    assert not events.missing, events.missing[:5]
    assert sorted((*m[:4], m[4] + BEGIN) for m in events.sent) == sorted(m[:5] for m in messages)
    assert len(messages) > 40
    latencies = [end - begin for begin, end in events.done]
    assert results["broadcast"]["completed"] == len(latencies)
    assert results["broadcast"]["latency_cycles"]["min"] == min(latencies)
    assert results["broadcast"]["latency_cycles"]["max"] == max(latencies)
    assert results["broadcast"]["latency_cycles"]["mean"] == pytest.approx(sum(latencies) / len(latencies))
    graph: Ring | Tree = events.graph
    assert (results["broadcast"]["messages"], results["broadcast"]["longest_path"]) == (graph.messages, graph.hops())


def early(messages: list[tuple[str, int, int, int, int, int | None]], roots: int) -> int:
    """How often the first message of a root's event comes to a node before the first one of the event before it."""
    first: dict[tuple[int, int], int] = {}
    for word, _, receiver, broadcast, _, delivered in messages:
        if word == "broadcast" and delivered is not None:
            first[receiver, broadcast] = min(delivered, first.get((receiver, broadcast), delivered))
    return sum(first[r, b] < first.get((r, b - roots), 0) for r, b in first)


HASTY = Costs(receive=1, event=1, send=1, settle=0, after=0, issue=0, order=0)
OVERTAKING = [
    (4, 4, "diamond_ring", 2, "ownership", [0], None, HASTY, 1, 0),
    (4, 3, "diamond_ring", 3, "atomic_update", [11, 2, 7], None, HASTY, 1, 0),
]


@pytest.mark.parametrize("case", OVERTAKING, ids=lambda case: "-".join(map(str, case[:6])))
def test_events_are_handled_in_their_root_s_order_where_messages_overtake(
    case: tuple[Any, ...], tmp_path: Path
) -> None:
    """On adaptive routes beside traffic. What comes early is put aside, in the reference as in the program."""
    beside = {"routing.algorithm": "minimal_adaptive", "traffic.rate_flits_per_node_cycle": 0.3}
    messages, results = messages_of(run_of(case, **beside), tmp_path)
    assert early(messages, len(case[5])) > 3, "nothing overtakes: that shows nothing"
    events = reference(case, messages)
    assert not events.missing, events.missing[:5]
    assert sorted((*m[:4], m[4] + BEGIN) for m in events.sent) == sorted(m[:5] for m in messages)
    assert results["broadcast"]["completed"] == len(events.done) > 20


def test_the_comparison_can_fail(tmp_path: Path) -> None:
    """Other costs, roots, requesters and operations are seen."""
    case = CASES[6]
    messages, _ = messages_of(run_of(case), tmp_path)
    others = [{"broadcast.order_cycles": 3}, {"broadcast.roots": [1, 6]}, {"broadcast.requesters": [0, 1, 2, 9, 14]},
              {"broadcast.operation": "atomic_update"}, {"broadcast.gap_cycles": 41},
              {"broadcast.value_flits": 9}]  # fmt: skip
    for other in others:
        changed, _ = messages_of(run_of(case, **other), tmp_path)
        assert sorted(m[:5] for m in changed) != sorted(m[:5] for m in messages), other


def test_two_nodes_by_hand() -> None:
    """The drawing of docs/diamond-rings.md, without a program: messages are under way for 14 cycles."""

    class Fixed(Events):
        def delay(self, *_: Any) -> int | None:
            return 14

    events = Fixed(partial(diamond_ring, 2, 2), [0], "ownership", ODD, [1], end=131)
    events.run()
    assert [(word, sender, cycle) for word, sender, _, _, cycle in events.sent] == [
        ("request", 1, 5),
        ("broadcast", 0, 34),
        ("value", 0, 69),
        ("broadcast", 1, 73),
        ("answer", 0, 113),
    ]
    assert events.done == [(0, 130)]
