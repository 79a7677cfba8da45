"""Values of a key that varies: START:STOP:STEP, START:STOP:xFACTOR, or a list with commas."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from braid.errors import InputError

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"^({_NUMBER}):({_NUMBER}):(x?)({_NUMBER})$")
MOST_VALUES = 100_000


def _number(value: Decimal, *, whole: bool) -> int | float:
    return int(value) if whole else float(value)


def _range(text: str, where: str, match: re.Match[str]) -> list[Any]:
    start, stop, step = Decimal(match[1]), Decimal(match[2]), Decimal(match[4])
    factor = match[3] == "x"
    grows = step > 1 and start > 0 if factor else step > 0
    if not grows or start > stop:
        expected = "START > 0 and FACTOR > 1" if factor else "STEP > 0"
        raise InputError(f"{where}: {text} is empty or has no end: expected START <= STOP and {expected}")
    whole = all(re.fullmatch(r"[+-]?\d+", match[place]) for place in (1, 2, 4))
    values = []
    value = start
    while value <= stop:
        values.append(_number(value, whole=whole))
        if len(values) > MOST_VALUES:
            raise InputError(f"{where}: {text} has more than {MOST_VALUES} values")
        value = value * step if factor else value + step
    return values


def split_at_commas(text: str) -> list[str]:
    """Its parts between commas that stand in no bracket and no quotes."""
    parts, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += (letter == "[") - (letter == "]") if not quoted else 0
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def value_of(text: str) -> Any:
    """As TOML writes it; a word without quotes is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def values_of(what: Any, where: str) -> list[Any]:
    """The values that a key takes: of a text ("0.1:0.5:0.1", "a,b"), a list, or a single value. `where` begins
    messages."""
    if isinstance(what, str):
        match = _RANGE.match(what.strip())
        if match:
            return _range(what, where, match)
        parts = split_at_commas(what)
        if "" in parts:
            raise InputError(f"{where}: expected START:STOP:STEP, or values with commas between them; found {what!r}")
        return [value_of(part) for part in parts]
    if isinstance(what, Iterable) and not isinstance(what, (bytes, dict)):
        values = [value.item() if hasattr(value, "item") else value for value in what]
        if not values:
            raise InputError(f"{where}: the list is empty: expected at least one value")
        return values
    return [what]


def varied(text: str) -> tuple[str, list[Any]]:
    """Key and values of KEY=VALUES, as `--vary` takes it."""
    key, equals, values = text.partition("=")
    section, dot, name = key.strip().partition(".")
    if not (equals and dot and section and name):
        raise InputError(f"--vary {text}: expected section.key=START:STOP:STEP or section.key=A,B")
    return key.strip(), values_of(values, f"--vary {key.strip()}")
