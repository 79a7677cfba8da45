"""What can be said of a filter's functions without running them: every name is known, and tapes exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import syntax as s
from . import values as v
from .errors import StreamItError

if TYPE_CHECKING:
    from .elaborate import Code


def check_filter(code: Code, given: str | None, output: str | None) -> None:
    known = code.scope.names() | {declared.name for declared in code.declaration.fields}
    checker = _Checker(code, given == "void", output == "void")
    for declared in code.declaration.fields:
        checker.walk(declared.initial, known)
    for function in code.declaration.functions.values():
        checker.header(function.rates)
        checker.walk(function.body, known | {parameter.name for parameter in function.parameters})


class _Checker:
    def __init__(self, code: Code, no_input: bool, no_output: bool) -> None:
        self.program = code.program
        self.functions = code.declaration.functions
        self.no_input = no_input
        self.no_output = no_output

    def header(self, rates: s.Rates) -> None:
        for which, missing in (("pop", self.no_input), ("peek", self.no_input), ("push", self.no_output)):
            rate = getattr(rates, which)
            if missing and rate is not None and not (isinstance(rate, s.Constant) and rate.value == 0):
                raise StreamItError(rate.at, f"'{which}' where the type is void")

    def walk(self, node: object, known: set[str]) -> None:
        if isinstance(node, list):
            for item in node:
                self.walk(item, known)
        if not isinstance(node, s.Node):
            return
        if isinstance(node, s.Block | s.Loop):
            known = set(known)
        self.one(node, known)
        for part in vars(node).values():
            self.walk(part, known)
        if isinstance(node, s.Declare):
            known.add(node.name)

    def one(self, node: s.Node, known: set[str]) -> None:
        if isinstance(node, s.Name) and node.name not in known:
            raise StreamItError(node.at, f"no variable '{node.name}'")
        if isinstance(node, s.Call):
            self.call(node)
        if self.no_input and isinstance(node, s.Pop | s.Peek):
            raise StreamItError(node.at, f"'{type(node).__name__.lower()}' where the type is void")
        if self.no_output and isinstance(node, s.Push):
            raise StreamItError(node.at, "'push' where the type is void")

    def call(self, call: s.Call) -> None:
        if call.helper is not None:
            known = call.helper in self.program.natives or call.name in self.program.helpers.get(call.helper, {})
            name = f"{call.helper}.{call.name}"
        else:
            known = call.name in self.functions or call.name in v.FUNCTIONS or call.name in v.EFFECTS
            name = call.name
        if not known:
            raise StreamItError(call.at, f"no function '{name}'")
