"""Reads waveforms (VCD) that braid wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

Wave = dict[str, list[int]]


def declarations(lines: Iterable[str]) -> Iterator[tuple[str, list[str], int]]:
    """(code, scopes and name, bits) of each signal; takes the lines up to the end of the declarations."""
    scope: list[str] = []
    for line in lines:
        words = line.split()
        if words[:1] == ["$scope"]:
            scope.append(words[2])
        elif words[:1] == ["$upscope"]:
            scope.pop()
        elif words[:1] == ["$var"]:
            yield words[3], [*scope, words[4]], int(words[2])
        elif words[:1] == ["$enddefinitions"]:
            return


def read_vcd(path: Path, kept: tuple[str, ...]) -> Wave:
    """The values of the signals of these names, cycle by cycle; router.port.signal. A name that ends in "." keeps all
    signals below the scope of that name."""
    names: dict[str, str] = {}
    changes: dict[str, list[tuple[int, int]]] = {}
    cycle = -1
    below = tuple(name[:-1] for name in kept if name.endswith("."))
    with path.open() as file:
        for code, (*scope, name), _ in declarations(file):
            if name in kept or any(one in scope for one in below):
                names[code] = ".".join([*scope[1:], name])
                changes[code] = []
        for line in file:
            first = line[0]
            if first in "01":
                if line[1:-1] in names:
                    changes[line[1:-1]].append((cycle + 1, int(first)))
            elif first == "b":
                bits, code = line.split()
                if code in names:
                    changes[code].append((cycle + 1, int(bits[1:], 2)))
            elif first == "#":  # network.cycle changes, so there is one for each cycle
                cycle += 1
    return {name: unfold(changes[code], cycle + 1) for code, name in names.items()}


def unfold(changes: list[tuple[int, int]], cycles: int) -> list[int]:
    """A signal's value in every cycle, from (cycle of a change, value)."""
    values: list[int] = []
    last = 0
    for cycle, value in changes:
        values += [last] * (cycle - len(values))
        last = value
    return values + [last] * (cycles - len(values))
