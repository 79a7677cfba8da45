"""Whether every feedback loop runs for ever with what is enqueued in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .elaborate import Container
    from .flatten import Edge, FlatGraph, Node

MOST_ROUNDS = 10_000


def first_deadlock(flat: FlatGraph) -> Container | None:
    """A loop that stops although all around it goes on; inner loops are looked at first."""
    for loop, start, end in flat.loops:
        if not _Loop(flat.nodes[start:end]).lives():
            return loop
    return None


class _Loop:
    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        inside = set(nodes)
        self.edges = [edge for node in nodes for edge in node.inputs if edge.source in inside]

    def lives(self) -> bool:
        """Finds firings after which every peek is filled, then a whole steady state beyond them."""
        initial = {node: int(node.prework is not None) for node in self.nodes}
        for _ in range(MOST_ROUNDS):
            if not self.raise_to_needs(initial):
                break
        else:
            return False
        return self.runs({node: initial[node] + node.repetitions for node in self.nodes})

    def raise_to_needs(self, initial: dict[Node, int]) -> bool:
        changed = False
        for edge in self.edges:
            excess = edge.peek - edge.pop
            needed = _consumed(edge, initial[edge.target]) + excess - len(edge.enqueued)
            while edge.push and _produced(edge, initial[edge.source]) < needed:
                missing = needed - _produced(edge, initial[edge.source])
                initial[edge.source] += max(1, missing // edge.push)
                changed = True
        return changed

    def runs(self, targets: dict[Node, int]) -> bool:
        fired = dict.fromkeys(self.nodes, 0)
        moved = True
        while moved:
            moved = False
            for node in self.nodes:
                times = self.possible(node, fired, targets[node])
                fired[node] += times
                moved |= times > 0
        return fired == targets

    def possible(self, node: Node, fired: dict[Node, int], target: int) -> int:
        """Firings at once with what lies there; the first, of a prework, by itself."""
        times = target - fired[node]
        first = fired[node] == 0 and node.prework is not None
        for edge in node.inputs:
            if edge in self.edges:
                there = len(edge.enqueued) + _produced(edge, fired[edge.source]) - _consumed(edge, fired[node])
                pop, peek = (node.prework.pop, node.prework.peek) if first and node.prework else (edge.pop, edge.peek)
                if there < peek:
                    return 0
                if pop:
                    times = min(times, (there - peek) // pop + 1)
        return min(times, 1) if first else max(times, 0)


def _produced(edge: Edge, firings: int) -> int:
    prework = edge.source.prework
    return prework.push + edge.push * (firings - 1) if prework and firings else edge.push * firings


def _consumed(edge: Edge, firings: int) -> int:
    prework = edge.target.prework
    return prework.pop + edge.pop * (firings - 1) if prework and firings else edge.pop * firings
