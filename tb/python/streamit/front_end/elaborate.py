"""Runs the container code of a program: syntax tree to the tree of streams, every parameter and rate a number."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from . import syntax as s
from . import values as v
from .check import check_filter
from .errors import Position, StreamItError
from .evaluate import Machine, Scope

DEEPEST = 500  # streams within streams
MOST_STREAMS = 200_000
MOST_STEPS = 300_000
BUILT_IN = {"Identity": (1, 1, 0), "FileReader": (0, 1, 1), "FileWriter": (1, 0, 1)}  # pop, push, arguments


@dataclass
class Rates:
    push: int = 0
    pop: int = 0
    peek: int = 0


@dataclass
class Stream:
    """`at` is where it was asked for, `declared_at` its declaration's name or, without one, the word filter,
    pipeline, ... A type None is one that its neighbours decide."""

    kind: str
    name: str
    at: Position
    declared_at: Position
    input: str | None
    output: str | None


@dataclass
class Filter(Stream):
    work: Rates = field(default_factory=Rates)
    prework: Rates | None = None
    code: Code | None = None
    argument: str = ""  # the file of a FileReader or FileWriter


@dataclass
class Code:
    """What running a filter takes: its declaration and the scope of its parameters."""

    program: s.Program
    declaration: s.StreamDeclaration
    statics: Scope
    scope: Scope


@dataclass
class Container(Stream):
    children: list[Stream] = field(default_factory=list)
    split: Divider | None = None
    join: Divider | None = None
    enqueued: list[v.Value] = field(default_factory=list)  # a feedback loop's; its children are body and loop


@dataclass
class Divider:
    """A splitter or joiner: a weight a branch."""

    policy: str
    weights: list[int]


def elaborate(program: s.Program) -> Stream:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 100_000))
    return _Builder(program).top()


class _Builder:
    def __init__(self, program: s.Program) -> None:
        self.program = program
        self.statics = Scope()
        self.machine = _ContainerMachine(program, self.statics, steps_left=MOST_STEPS)
        self.machine.builder = self
        self.depth = 0
        self.streams = 0
        for declaration in program.statics:
            self.machine.statement(declaration, self.statics)
        for init in program.static_inits:
            self.machine.body(init.body, self.statics)

    def top(self) -> Stream:
        used = set()
        for stream in self.program.streams.values():
            used |= _added(stream)
        void = [
            stream
            for stream in self.program.streams.values()
            if stream.type is not None and (stream.type.input.base, stream.type.output.base) == ("void", "void")
        ]
        tops = [stream for stream in void if stream.name not in used]
        if not tops:
            raise StreamItError(self.program.last, "no void->void stream that is nobody's part: nothing to start with")
        top = tops[-1]
        return self.build(top, [], Scope(self.statics), top.at, top.at)

    # One stream

    def create(self, creator: s.Creator, scope: Scope) -> Stream:
        if creator.anonymous is not None:
            return self.build(creator.anonymous, [], scope, creator.at, creator.at)
        arguments = [self.machine.value(argument, scope) for argument in creator.arguments]
        if creator.name in BUILT_IN and creator.name not in self.program.streams:
            return self.built_in(creator, arguments)
        declaration = self.program.streams.get(creator.name or "")
        if declaration is None:
            raise StreamItError(creator.at, f"no stream '{creator.name}'")
        if creator.type_argument is not None:
            raise StreamItError(creator.type_argument.at, f"'{creator.name}' takes no type")
        return self.build(declaration, arguments, Scope(self.statics), creator.at, creator.at)

    def built_in(self, creator: s.Creator, arguments: list[v.Value]) -> Stream:
        name = creator.name or ""
        if creator.type_argument is None:
            raise StreamItError(creator.at, f"'{name}' needs a type: {name}<float>")
        pop, push, count = BUILT_IN[name]
        if len(arguments) != count:
            raise StreamItError(creator.at, f"'{name}' takes {count} arguments, {len(arguments)} given")
        kind = self.type_name(creator.type_argument, self.statics)
        made = Filter("filter", name, creator.at, creator.at, kind if pop else "void", kind if push else "void")
        made.work = Rates(push, pop, pop)
        made.argument = str(arguments[0]) if arguments else ""
        return made

    def build(
        self, what: s.StreamDeclaration, arguments: list[v.Value], above: Scope, at: Position, call: Position
    ) -> Stream:
        name = what.name or f"Anonymous{what.kind.capitalize()}"
        self.depth += 1
        self.streams += 1
        if self.depth > DEEPEST:
            raise StreamItError(at, f"'{name}' stands more than {DEEPEST} streams deep: recursion without an end?")
        if self.streams > MOST_STREAMS:
            raise StreamItError(at, f"more than {MOST_STREAMS} streams")
        if len(arguments) != len(what.parameters):
            raise StreamItError(call, f"'{name}' takes {len(what.parameters)} arguments, {len(arguments)} given")
        scope = Scope(above)
        for parameter, argument in zip(what.parameters, arguments, strict=True):
            self.machine.declare(scope, parameter, argument, call)
        given = output = None
        if what.type is not None:
            given, output = self.type_name(what.type.input, scope), self.type_name(what.type.output, scope)
        if what.kind == "filter":
            stream: Stream = self.filter(what, name, at, given, output, scope)
        else:
            stream = self.container(what, Container(what.kind, name, at, what.at, given, output), scope)
        self.depth -= 1
        return stream

    def type_name(self, kind: s.Type, scope: Scope) -> str:
        if kind.base not in ("void", "int", "bit", "boolean", "float", "double", "complex", *self.program.structs):
            raise StreamItError(kind.at, f"no type '{kind.base}'")
        return kind.base + "".join(f"[{self.machine.length(length, scope)}]" for length in kind.lengths)

    # Filters

    def filter(
        self, what: s.StreamDeclaration, name: str, at: Position, given: str | None, output: str | None, scope: Scope
    ) -> Filter:
        if "work" not in what.functions:
            raise StreamItError(what.at, f"filter '{name}' has no work function")
        made = Filter("filter", name, at, what.at, given, output)
        made.code = Code(self.program, what, self.statics, scope)
        check_filter(made.code, given, output)
        fields = _Fields(self, made.code)
        made.work = fields.rates(what.functions["work"].rates)
        if "prework" in what.functions:
            made.prework = fields.rates(what.functions["prework"].rates)
        return made

    # Containers

    def container(self, what: s.StreamDeclaration, made: Container, scope: Scope) -> Container:
        kept = self.machine.container
        self.machine.container = building = _Building(made)
        assert what.body is not None
        self.machine.body(what.body, scope)
        self.machine.container = kept
        if made.kind == "pipeline":
            self.pipeline(made)
        elif made.kind == "splitjoin":
            self.splitjoin(made, building)
        else:
            self.feedbackloop(made, building)
        return made

    def pipeline(self, made: Container) -> None:
        if not made.children:
            raise StreamItError(made.declared_at, f"'{made.name}' holds no stream")
        before, text = made.input, f"'{made.name}' is given"
        for child in made.children:
            if child is not made.children[0] and "void" in (before, child.input):
                raise StreamItError(child.at, f"'{child.name}' does not fit: {text} {before}, it has {child.input}")
            _agree(child, before, child.input, text)
            before, text = child.output, f"'{child.name}' gives"
        _agree(made.children[-1], made.output, made.children[-1].output, f"'{made.name}' gives")
        made.input = made.input or made.children[0].input
        made.output = made.output or made.children[-1].output

    def splitjoin(self, made: Container, building: _Building) -> None:
        if not made.children:
            raise StreamItError(made.declared_at, f"'{made.name}' holds no stream")
        made.split = building.divider("split", len(made.children))
        made.join = building.divider("join", len(made.children))
        for child, taken, given in zip(made.children, made.split.weights, made.join.weights, strict=True):
            if taken or child.input != "void":
                _agree(child, made.input, child.input, f"'{made.name}' is given")
            if given or child.output != "void":
                _agree(child, made.output, child.output, f"'{made.name}' gives")
            made.input = made.input or (child.input if taken else None)
            made.output = made.output or (child.output if given else None)
        made.input = made.input or (None if any(made.split.weights) else "void")
        made.output = made.output or (None if any(made.join.weights) else "void")

    def feedbackloop(self, made: Container, building: _Building) -> None:
        for role in ("body", "loop"):
            if role not in building.roles:
                raise StreamItError(made.declared_at, f"'{made.name}' has no {role}")
        body, loop = building.roles["body"], building.roles["loop"]
        made.children = [body, loop]
        made.join = building.divider("join", 2)
        made.split = building.divider("split", 2)
        if made.join.weights[0]:
            _agree(body, made.input, body.input, f"'{made.name}' is given")
        if made.split.weights[0]:
            _agree(body, made.output, body.output, f"'{made.name}' gives")
        _agree(loop, body.output, loop.input, f"'{body.name}' gives")
        _agree(loop, body.input, loop.output, f"'{body.name}' takes")
        made.input = made.input or (body.input if made.join.weights[0] else "void")
        made.output = made.output or (body.output if made.split.weights[0] else "void")


class _Building:
    """What the statements of one container have said so far."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.roles: dict[str, Stream] = {}
        self.dividers: dict[str, tuple[s.Divide, list[int] | None]] = {}

    def divider(self, role: str, branches: int) -> Divider:
        if role not in self.dividers:
            raise StreamItError(self.container.declared_at, f"'{self.container.name}' has no {role}")
        statement, weights = self.dividers[role]
        if weights is None:
            return Divider("duplicate", [1] * branches)
        if not weights:
            weights = [1] * branches
        elif len(weights) == 1:
            weights = weights * branches
        if len(weights) != branches:
            raise StreamItError(statement.policy_at, f"{len(weights)} weights for {branches} branches")
        return Divider("roundrobin", weights)


class _ContainerMachine(Machine):
    """Machine that also builds streams."""

    builder: _Builder
    container: _Building | None = None

    def building(self, statement: s.Node) -> _Building:
        if self.container is None:
            self._refuse(statement, self.statics)
        assert self.container is not None
        return self.container

    def _do_add(self, statement: s.Add, scope: Scope) -> None:
        building = self.building(statement)
        in_loop = building.container.kind == "feedbackloop"
        if in_loop == (statement.role == "add"):
            raise StreamItError(statement.at, f"'{statement.role}' in a {building.container.kind}")
        made = self.builder.create(statement.creator, scope)
        if not in_loop:
            building.container.children.append(made)
        elif statement.role in building.roles:
            raise StreamItError(statement.at, f"a second {statement.role}")
        else:
            building.roles[statement.role] = made

    def _do_divide(self, statement: s.Divide, scope: Scope) -> None:
        building = self.building(statement)
        if building.container.kind == "pipeline":
            raise StreamItError(statement.at, f"'{statement.role}' in a pipeline")
        if statement.role in building.dividers:
            raise StreamItError(statement.at, f"a second {statement.role}")
        weights = None if statement.weights is None else [self.weight(weight, scope) for weight in statement.weights]
        building.dividers[statement.role] = (statement, weights)

    def weight(self, expression: s.Node, scope: Scope) -> int:
        weight = self.whole(expression, scope, "a weight")
        if weight < 0:
            raise StreamItError(expression.at, f"a weight of {weight}")
        return weight

    def _do_enqueue(self, statement: s.Enqueue, scope: Scope) -> None:
        building = self.building(statement)
        if building.container.kind != "feedbackloop":
            raise StreamItError(statement.at, f"'enqueue' in a {building.container.kind}")
        building.container.enqueued.append(self.value(statement.value, scope))


class _Fields:
    """Rates of a filter. They may speak of its fields, which cost nothing unless they do."""

    def __init__(self, builder: _Builder, code: Code) -> None:
        self.builder = builder
        self.code = code
        self.scope: Scope | None = None

    def rates(self, given: s.Rates) -> Rates:
        push, pop, peek = (self.rate(expression) for expression in (given.push, given.pop, given.peek))
        return Rates(push, pop, max(pop, peek))

    def rate(self, expression: s.Node | None) -> int:
        if expression is None:
            return 0
        scope = self.code.scope
        if any(mentions(expression, declared.name) for declared in self.code.declaration.fields):
            scope = self.scope = self.scope or start(self.code, self.builder.machine)
        rate = self.builder.machine.whole(expression, scope, "a rate")
        if rate < 0:
            raise StreamItError(expression.at, f"a rate of {rate}")
        return rate


def start(code: Code, machine: Machine) -> Scope:
    """The filter's fields after its init."""
    scope = Scope(code.scope)
    kept = (machine.functions, machine.fields)
    machine.functions, machine.fields = code.declaration.functions, scope
    for declared in code.declaration.fields:
        machine.statement(declared, scope)
    if "init" in code.declaration.functions:
        machine.body(code.declaration.functions["init"].body, scope)
    machine.functions, machine.fields = kept
    return scope


def mentions(node: object, name: str) -> bool:
    if isinstance(node, s.Name) and node.name == name:
        return True
    if isinstance(node, list):
        return any(mentions(item, name) for item in node)
    return isinstance(node, s.Node) and any(mentions(part, name) for part in vars(node).values())


def _added(node: object) -> set[str]:
    """The names of streams that a piece of the tree adds."""
    if isinstance(node, s.Creator) and node.name is not None:
        return {node.name}
    if isinstance(node, list):
        return set().union(*(_added(item) for item in node))
    return set().union(*(_added(part) for part in vars(node).values())) if isinstance(node, s.Node) else set()


def _agree(reader: Stream, wanted: str | None, found: str | None, who: str) -> None:
    """The error stands at the stream that was put in the wrong place."""
    if wanted is not None and found is not None and wanted != found:
        raise StreamItError(reader.at, f"'{reader.name}' does not fit: {who} {wanted}, it has {found}")
