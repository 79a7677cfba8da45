"""Odd-even routing from its two rules of turns alone (Chiu, "The odd-even turn model for adaptive routing", IEEE Trans.
Parallel and Distributed Systems 11(7), 2000, section 3): no packet turns from east to north or south in an even column,
none from north or south to west in an odd one. A minimal hop is allowed where its turn is, and where turns that are
allowed lead on from it to the destination. The RTL's route unit has Chiu's conditions in place of this search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

EAST, WEST, NORTH, SOUTH = range(4)  # as the router's ports
STEP = {EAST: (1, 0), WEST: (-1, 0), NORTH: (0, 1), SOUTH: (0, -1)}
Place = tuple[int, int]  # column, row


def turn_allowed(heading: int | None, out: int, column: int) -> bool:
    """A packet that goes in direction `heading` (None: from its source's node) may go on to `out`."""
    if column % 2 == 0:
        return not (heading == EAST and out in (NORTH, SOUTH))
    return not (heading in (NORTH, SOUTH) and out == WEST)


def step(at: Place, out: int) -> Place:
    """The next router."""
    return at[0] + STEP[out][0], at[1] + STEP[out][1]


def minimal(at: Place, to: Place) -> Iterator[int]:
    """Directions that lead closer."""
    for out, (dx, dy) in STEP.items():
        if dx * (to[0] - at[0]) > 0 or dy * (to[1] - at[1]) > 0:
            yield out


@cache
def ways(at: Place, heading: int | None, to: Place) -> frozenset[int]:
    """Where a packet may go on; none: it has arrived, or is where it can never be."""
    allowed = (out for out in minimal(at, to) if turn_allowed(heading, out, at[0]))
    return frozenset(out for out in allowed if step(at, out) == to or ways(step(at, out), out, to))


def states(source: Place, to: Place) -> set[tuple[Place, int | None]]:
    """Where packets of this pair come, and in which direction."""
    found: set[tuple[Place, int | None]] = {(source, None)}
    new = list(found)
    while new:
        at, heading = new.pop()
        for out in ways(at, heading, to):
            state = (step(at, out), out)
            if state not in found:
                found.add(state)
                new.append(state)
    return found
