"""Conditions over names with dots: router.vcs >= 2 and routing.algorithm in ["x_first", "odd_even"]."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from braid.errors import InputError

_COMPARE: dict[type[ast.AST], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}
_WORDS = {"true": True, "false": False}
_EXPECTED = "names with dots, numbers, texts in quotes, ==, !=, <, <=, >, >=, in, and, or, not, +, -, *, /, %"


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean "..."?)` with the known name that is nearest; "" where none is near."""
    near = get_close_matches(name, list(known), 1, 0.5)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return None if before is None else f"{before}.{node.attr}"
    return None


class Condition:
    """One condition. A name without a value (a key of a policy that is not chosen) is equal to nothing, and neither
    less nor more than anything."""

    def __init__(self, text: str, where: str = "condition") -> None:
        self.text = text
        self._where = where
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            raise self._error(f"expected {_EXPECTED}") from None
        self.names: set[str] = set()
        self._look(self._tree)

    def check(self, known: Iterable[str]) -> None:
        """Raises InputError if it has a name that is not known."""
        known = set(known)
        for name in sorted(self.names - known):
            raise self._error(f'nothing is called "{name}"{nearest(name, known)}')

    def holds(self, values: Mapping[str, Any]) -> bool:
        """With these values of its names?"""
        try:
            return bool(self._value(self._tree, values))
        except (TypeError, ZeroDivisionError) as e:
            raise self._error(f"cannot be computed: {e}") from None

    def _error(self, why: str) -> InputError:
        return InputError(f"{self._where} {self.text!r}: {why}")

    def _look(self, node: ast.AST) -> None:
        name = _dotted(node)
        if name is not None:
            if name not in _WORDS:
                self.names.add(name)
            return
        known = (ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp, ast.Constant, ast.List, ast.Tuple)
        if not isinstance(node, known):
            raise self._error(f"expected {_EXPECTED}")
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._look(child)
            elif not isinstance(child, (ast.expr_context, ast.boolop, ast.Not, ast.USub, *_COMPARE, *_BINARY)):
                raise self._error(f"expected {_EXPECTED}")

    def _value(self, node: ast.AST, values: Mapping[str, Any]) -> Any:
        name = _dotted(node)
        if name is not None:
            return _WORDS[name] if name in _WORDS else values.get(name)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._value(one, values) for one in node.elts]
        if isinstance(node, ast.BoolOp):
            parts = (bool(self._value(one, values)) for one in node.values)
            return all(parts) if isinstance(node.op, ast.And) else any(parts)
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand, values)
            return not value if isinstance(node.op, ast.Not) else None if value is None else -value
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left, values), self._value(node.right, values)
            return None if left is None or right is None else _BINARY[type(node.op)](left, right)
        assert isinstance(node, ast.Compare)
        return self._compared(node, values)

    def _compared(self, node: ast.Compare, values: Mapping[str, Any]) -> bool:
        left = self._value(node.left, values)
        for compare, of in zip(node.ops, node.comparators, strict=True):
            right = self._value(of, values)
            missing = left is None or right is None
            if (isinstance(compare, ast.NotEq) and left == right) or (
                not isinstance(compare, ast.NotEq) and (missing or not _COMPARE[type(compare)](left, right))
            ):
                return False
            left = right
        return True
