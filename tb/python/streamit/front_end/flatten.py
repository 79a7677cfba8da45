"""The tree of streams to a flat graph, and how often each node fires in a steady state.

Every splitter and joiner is a node and every connection an edge, those of weight zero too, as MIT's compiler counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .balance import balance
from .elaborate import Container, Filter, Rates, Stream
from .errors import StreamItError
from .schedule import first_deadlock


@dataclass(eq=False, repr=False)
class Node:
    """`repetitions` is 0 for a splitter or joiner that moves nothing."""

    kind: str  # filter, splitter, joiner
    name: str
    stream: Stream
    policy: str = ""
    weights: list[int] = field(default_factory=list)
    repetitions: int = 0
    inputs: list[Edge] = field(default_factory=list)
    outputs: list[Edge] = field(default_factory=list)

    items: str | None = None
    """What a splitter or joiner passes on, as far as it is known."""

    def type_of(self, side: str) -> str | None:
        return getattr(self.stream, side) if self.kind == "filter" else self.items

    def set_type(self, side: str, found: str | None) -> bool:
        """Whether that was news."""
        if found is None or self.type_of(side) is not None:
            return False
        setattr(*((self.stream, side) if self.kind == "filter" else (self, "items")), found)
        return True

    @property
    def prework(self) -> Rates | None:
        return self.stream.prework if isinstance(self.stream, Filter) else None


@dataclass(eq=False, repr=False)
class Edge:
    """Rates a firing of either end."""

    source: Node
    target: Node
    push: int
    pop: int
    peek: int
    enqueued: list = field(default_factory=list)


@dataclass(repr=False)
class FlatGraph:
    name: str
    nodes: list[Node]
    edges: list[Edge]
    loops: list[tuple[Container, int, int]] = field(default_factory=list)
    """Feedback loops, inner ones first, with the range of their nodes."""

    def of_kind(self, kind: str) -> list[Node]:
        return [node for node in self.nodes if node.kind == kind]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Filters, splitters, joiners, edges."""
        return *(len(self.of_kind(kind)) for kind in ("filter", "splitter", "joiner")), len(self.edges)  # type: ignore[return-value]

    def to_json(self) -> dict:
        number = {node: index for index, node in enumerate(self.nodes)}
        names = ("filters", "splitters", "joiners", "edges")
        return {
            "name": self.name,
            "counts": dict(zip(names, self.counts, strict=True)),
            "filters": [_filter_json(number[node], node) for node in self.of_kind("filter")],
            "splitters": [_divider_json(number[node], node) for node in self.of_kind("splitter")],
            "joiners": [_divider_json(number[node], node) for node in self.of_kind("joiner")],
            "edges": [
                {"from": number[e.source], "to": number[e.target], "push": e.push, "pop": e.pop, "peek": e.peek}
                | ({"enqueued": len(e.enqueued)} if e.enqueued else {})
                for e in self.edges
            ],
        }


def _filter_json(number: int, node: Node) -> dict:
    stream = node.stream
    assert isinstance(stream, Filter)
    described = {"id": number, "name": node.name, "input": stream.input, "output": stream.output} | vars(stream.work)
    described["prework"] = vars(stream.prework) if stream.prework else None
    return described | {"repetitions": node.repetitions}


def _divider_json(number: int, node: Node) -> dict:
    return {"id": number, "policy": node.policy, "weights": node.weights, "repetitions": node.repetitions}


def flatten(top: Stream) -> FlatGraph:
    flat = FlatGraph(top.name, [], [])
    _Flattener(flat).add(top, None)
    _infer_types(flat)
    times = balance(top)
    for node in flat.nodes:
        node.repetitions = times[id(node.stream), node.kind]
    loop = first_deadlock(flat)
    if loop is not None:
        raise StreamItError(loop.declared_at, f"feedback loop '{loop.name}' comes to a standstill: too little enqueued")
    return flat


@dataclass
class _End:
    """An open output: the node and its items a firing there."""

    node: Node
    push: int


class _Flattener:
    def __init__(self, flat: FlatGraph) -> None:
        self.flat = flat

    def node(self, node: Node) -> Node:
        self.flat.nodes.append(node)
        return node

    def connect(self, end: _End | None, target: Node, pop: int, peek: int) -> None:
        if end is not None:
            edge = Edge(end.node, target, end.push, pop, peek)
            end.node.outputs.append(edge)
            target.inputs.append(edge)
            self.flat.edges.append(edge)

    def add(self, stream: Stream, before: _End | None) -> _End:
        """Builds it behind `before`; its open output."""
        if isinstance(stream, Filter):
            node = self.node(Node("filter", stream.name, stream))
            self.connect(before, node, stream.work.pop, stream.work.peek)
            return _End(node, stream.work.push)
        assert isinstance(stream, Container)
        if stream.kind == "pipeline":
            for child in stream.children:
                before = self.add(child, before)
            assert before is not None
            return before
        return self.splitjoin(stream, before) if stream.kind == "splitjoin" else self.feedbackloop(stream, before)

    def divider(self, stream: Container, kind: str) -> tuple[Node, int]:
        """The node and what it moves a firing on its single side."""
        what = stream.split if kind == "splitter" else stream.join
        assert what is not None
        node = self.node(Node(kind, stream.name, stream, what.policy, what.weights))
        return node, max(what.weights) if what.policy == "duplicate" else sum(what.weights)

    def splitjoin(self, stream: Container, before: _End | None) -> _End:
        splitter, taken = self.divider(stream, "splitter")
        self.connect(before, splitter, taken, taken)
        ends = [
            self.add(child, _End(splitter, weight))
            for child, weight in zip(stream.children, splitter.weights, strict=True)
        ]
        joiner, given = self.divider(stream, "joiner")
        for end, weight in zip(ends, joiner.weights, strict=True):
            self.connect(end, joiner, weight, weight)
        return _End(joiner, given)

    def feedbackloop(self, stream: Container, before: _End | None) -> _End:
        start = len(self.flat.nodes)
        joiner, given = self.divider(stream, "joiner")
        self.connect(before, joiner, joiner.weights[0], joiner.weights[0])
        body = self.add(stream.children[0], _End(joiner, given))
        splitter, taken = self.divider(stream, "splitter")
        self.connect(body, splitter, taken, taken)
        loop = self.add(stream.children[1], _End(splitter, splitter.weights[1]))
        self.connect(loop, joiner, joiner.weights[1], joiner.weights[1])
        self.flat.edges[-1].enqueued = stream.enqueued
        self.flat.loops.append((stream, start, len(self.flat.nodes)))
        return _End(splitter, splitter.weights[0])


def _infer_types(flat: FlatGraph) -> None:
    """A filter without types has those of what it is connected to, through splitters and joiners."""
    found = True
    while found:
        found = False
        for edge in flat.edges:
            if edge.push and edge.pop:
                given, taken = edge.source.type_of("output"), edge.target.type_of("input")
                found |= edge.source.set_type("output", taken) | edge.target.set_type("input", given)
