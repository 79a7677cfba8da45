"""The syntax tree. Every node knows its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from .errors import Position


@dataclass
class Node:
    at: Position


# Expressions


@dataclass
class Constant(Node):
    value: int | float | bool | complex | str


@dataclass
class Name(Node):
    name: str


@dataclass
class Index(Node):
    array: Node
    index: Node


@dataclass
class Field(Node):
    base: Node
    name: str


@dataclass
class Unary(Node):
    operator: str
    operand: Node


@dataclass
class Step(Node):
    """++ and --."""

    target: Node
    by: int
    before: bool


@dataclass
class Binary(Node):
    """`at` is where its left operand begins; what is wrong with the operation is wrong at its sign."""

    sign_at: Position
    operator: str
    left: Node
    right: Node


@dataclass
class Ternary(Node):
    condition: Node
    yes: Node
    no: Node


@dataclass
class Cast(Node):
    base: str
    operand: Node


@dataclass
class Call(Node):
    """A function, or with `helper` a function of a helper."""

    helper: str | None
    name: str
    arguments: list[Node]


@dataclass
class Pop(Node):
    pass


@dataclass
class Peek(Node):
    index: Node


@dataclass
class Iter(Node):
    pass


@dataclass
class ArrayLiteral(Node):
    items: list[Node]


# Types and declarations


@dataclass
class Type(Node):
    base: str
    lengths: list[Node]

    def __str__(self) -> str:
        return self.base + "[]" * len(self.lengths)


@dataclass
class Parameter(Node):
    type: Type
    name: str


@dataclass
class StreamType(Node):
    input: Type
    output: Type


@dataclass
class Rates(Node):
    push: Node | None = None
    pop: Node | None = None
    peek: Node | None = None


@dataclass
class Function(Node):
    """`name` is init, work, prework or the user's."""

    name: str
    result: Type | None
    parameters: list[Parameter]
    rates: Rates
    body: Block


@dataclass
class StreamDeclaration(Node):
    """`at` is its name or, without one, the word that says what it is: filter, pipeline, splitjoin, feedbackloop."""

    kind: str
    name: str | None
    type: StreamType | None
    parameters: list[Parameter]
    fields: list[Declare] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)
    body: Block | None = None


@dataclass
class Struct(Node):
    name: str
    fields: list[Parameter]


@dataclass
class Program:
    streams: dict[str, StreamDeclaration]
    structs: dict[str, Struct]
    helpers: dict[str, dict[str, Function]]
    natives: set[str]
    statics: list[Declare]
    static_inits: list[Function]
    last: Position


# Statements


@dataclass
class Block(Node):
    statements: list[Node]


@dataclass
class Declare(Node):
    type: Type
    name: str
    initial: Node | None


@dataclass
class Several(Node):
    """Declarations that share one type; no scope of their own."""

    statements: list[Declare]


@dataclass
class Assign(Node):
    target: Node
    operator: str | None
    value: Node


@dataclass
class Evaluate(Node):
    expression: Node


@dataclass
class Push(Node):
    value: Node


@dataclass
class If(Node):
    condition: Node
    yes: Node
    no: Node | None


@dataclass
class Loop(Node):
    """for, while and do-while."""

    initial: Node | None
    condition: Node | None
    step: Node | None
    body: Node
    test_first: bool = True


@dataclass
class Leave(Node):
    """break, continue."""

    how: str


@dataclass
class Return(Node):
    value: Node | None


@dataclass
class Creator(Node):
    """The stream behind add, body or loop: a name with arguments, or one that is written out there."""

    name: str | None
    type_argument: Type | None
    arguments: list[Node]
    anonymous: StreamDeclaration | None


@dataclass
class Add(Node):
    """`role` is add, body or loop."""

    role: str
    creator: Creator


@dataclass
class Divide(Node):
    """split or join (`role`); weights None for duplicate, empty for a round robin without."""

    role: str
    weights: list[Node] | None
    policy_at: Position


@dataclass
class Enqueue(Node):
    value: Node
