"""Runs a flat graph on numbers, to see that a program computes what it says and keeps to its rates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from . import syntax as s
from . import values as v
from .elaborate import Filter, Rates, start
from .errors import Position, StreamItError
from .evaluate import Machine, Scope, Tape
from .flatten import Edge, FlatGraph, Node

MOST_PASSES = 10_000


class Execution:
    """`files` gives the items of each FileReader by its file; `printed` and `written` collect what comes out, by name
    of the filter and by file."""

    def __init__(self, flat: FlatGraph, files: dict[str, Iterable[v.Value]] | None = None) -> None:
        self.flat = flat
        self.items = {edge: _Items(edge.enqueued) for edge in flat.edges}
        self.files: dict[str, Iterator[v.Value]] = {name: iter(items) for name, items in (files or {}).items()}
        self.printed: dict[str, list[str]] = defaultdict(list)
        self.written: dict[str, list[v.Value]] = defaultdict(list)
        self.fired = dict.fromkeys(flat.nodes, 0)
        self.running = {
            node: _RunningFilter(self, node)
            for node in flat.of_kind("filter")
            if isinstance(node.stream, Filter) and node.stream.code is not None
        }

    def run(self, steady_states: int) -> None:
        """Until every node that gives nothing has run that many steady states; others may run more."""
        sinks = [node for node in self.flat.nodes if node.repetitions and not any(e.push for e in node.outputs)]
        for _ in range(MOST_PASSES):
            for node in self.flat.nodes:
                for _ in range(node.repetitions):
                    if not self.ready(node):
                        break
                    self.fire(node)
            if all(self.fired[node] >= steady_states * node.repetitions for node in sinks):
                return
        raise AssertionError("the program does not come on")

    def ready(self, node: Node) -> bool:
        first = node.prework if self.fired[node] == 0 else None
        return all(len(self.items[e]) >= (first.peek if first else e.peek) for e in node.inputs)

    def fire(self, node: Node) -> None:
        if node.kind == "splitter":
            self.split(node)
        elif node.kind == "joiner":
            for edge in node.inputs:
                self.send(node, [self.items[edge].popleft() for _ in range(edge.pop)])
        elif node in self.running:
            self.running[node].fire()
        else:
            self.fire_built_in(node)
        self.fired[node] += 1

    def send(self, node: Node, items: list[v.Value]) -> None:
        for edge in node.outputs:
            self.items[edge].extend(items)

    def split(self, node: Node) -> None:
        taken = [self.items[edge].popleft() for edge in node.inputs for _ in range(edge.pop)]
        for edge in node.outputs:
            self.items[edge].extend(taken if node.policy == "duplicate" else taken[: edge.push])
            taken = taken if node.policy == "duplicate" else taken[edge.push :]

    def fire_built_in(self, node: Node) -> None:
        assert isinstance(node.stream, Filter)
        if node.name == "FileReader":
            self.send(node, [next(self.files[node.stream.argument])])
            return
        item = self.items[node.inputs[0]].popleft()
        if node.name == "FileWriter":
            self.written[node.stream.argument].append(item)
        else:
            self.send(node, [item])


class _Items:
    """A queue that can be looked into, at any place in one step."""

    def __init__(self, items: Iterable[v.Value]) -> None:
        self.items = list(items)
        self.taken = 0

    def __len__(self) -> int:
        return len(self.items) - self.taken

    def __getitem__(self, index: int) -> v.Value:
        return self.items[self.taken + index]

    def extend(self, more: Iterable[v.Value]) -> None:
        if self.taken > 1000 and 2 * self.taken > len(self.items):
            self.items, self.taken = self.items[self.taken :], 0
        self.items.extend(more)

    def popleft(self) -> v.Value:
        self.taken += 1
        return self.items[self.taken - 1]


class _RunningFilter(Tape):
    def __init__(self, execution: Execution, node: Node) -> None:
        assert isinstance(node.stream, Filter) and node.stream.code is not None
        self.execution = execution
        self.node = node
        self.code = node.stream.code
        self.machine = Machine(self.code.program, self.code.statics, functions=self.code.declaration.functions)
        self.fields = self.machine.fields = start(self.code, self.machine)
        self.machine.tape = self
        self.popped: int = 0
        self.pushed: list[v.Value] = []
        self.rates = Rates()

    def fire(self) -> None:
        assert isinstance(self.node.stream, Filter)
        first = self.node.stream.prework is not None and self.execution.fired[self.node] == 0
        self.rates = self.node.stream.prework if first and self.node.stream.prework else self.node.stream.work
        function = self.code.declaration.functions["prework" if first else "work"]
        self.popped, self.pushed = 0, []
        self.machine.body(function.body, Scope(self.fields))
        self.check(function)
        self.execution.send(self.node, self.pushed)

    def check(self, function: s.Function) -> None:
        for what, done, declared in (
            ("pops", self.popped, self.rates.pop),
            ("pushes", len(self.pushed), self.rates.push),
        ):
            if done != declared:
                raise StreamItError(function.at, f"'{self.node.name}' {what} {done}, its rate says {declared}")

    @property
    def input(self) -> Edge:
        return self.node.inputs[0]

    def pop(self, at: Position) -> v.Value:
        if self.popped == self.rates.pop:
            raise StreamItError(at, f"'{self.node.name}' pops more than its rate says, {self.rates.pop}")
        self.popped += 1
        return self.execution.items[self.input].popleft()

    def peek(self, at: Position, index: int) -> v.Value:
        if not 0 <= index < self.rates.peek - self.popped:
            raise StreamItError(at, f"'{self.node.name}' peeks beyond its rate, {self.rates.peek}")
        return self.execution.items[self.input][index]

    def push(self, at: Position, value: v.Value) -> None:
        self.pushed.append(v.copy(self.typed(value)))

    def typed(self, value: v.Value) -> v.Value:
        output = self.node.stream.output
        return v.convert(value, output) if output in ("int", "float", "complex", "bit", "boolean") else value

    def print(self, text: str) -> None:
        self.execution.printed[self.node.name].append(text)
