"""X-first routing on a torus, told link by link: a packet's way round each ring is walked, and the links on it say
which half of the VCs it may take (docs/routing.md; Dally and Seitz 1987, Scott and Thorson 1994). The RTL has
comparisons of coordinates in place of the walk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

EAST, WEST, NORTH, SOUTH, LOCAL = range(5)
Place = tuple[int, int]
LOWER, UPPER = "lower", "upper"
BOTH = frozenset((LOWER, UPPER))


@dataclass(frozen=True)
class Torus:
    """Of columns and rows; the router in the corner is (0, 0)."""

    columns: int
    rows: int

    def size(self, dimension: int) -> int:
        """Routers of a ring."""
        return (self.columns, self.rows)[dimension]

    def places(self) -> list[Place]:
        """All routers."""
        return [(x, y) for x in range(self.columns) for y in range(self.rows)]

    def step(self, at: Place, out: int) -> Place:
        """The next router."""
        dx, dy = {EAST: (1, 0), WEST: (-1, 0), NORTH: (0, 1), SOUTH: (0, -1)}[out]
        return (at[0] + dx) % self.columns, (at[1] + dy) % self.rows

    def links(self, at: Place, to: Place, out: int) -> list[int]:
        """That a packet which goes in direction `out` has before it in this ring, each by the router at its low end."""
        dimension, found = out // 2, []
        while at[dimension] != to[dimension]:
            after = self.step(at, out)
            found.append(at[dimension] if out % 2 == 0 else after[dimension])
            at = after
        return found

    def ways(self, at: Place, to: Place, dimension: int) -> list[int]:
        """Directions round a ring that are as short as any; none: it is there."""
        if at[dimension] == to[dimension]:
            return []
        lengths = {out: len(self.links(at, to, out)) for out in (2 * dimension, 2 * dimension + 1)}
        return [out for out, length in lengths.items() if length == min(lengths.values())]

    def out(self, at: Place, to: Place) -> int:
        """Where the packet goes; a tie is decided by router and destination."""
        for dimension in (0, 1):
            ways = self.ways(at, to, dimension)
            if len(ways) == 2:
                return ways[(at[0] + at[1] + to[1 - dimension]) % 2]
            if ways:
                return ways[0]
        return LOCAL

    def halves(self, at: Place, to: Place, came_by: int, half: str) -> frozenset[str]:
        """Of the next link's VCs, for a packet that came in at port `came_by` on that half."""
        out = self.out(at, to)
        if out == LOCAL:
            return BOTH
        if came_by // 2 == out // 2:
            return frozenset((half,))
        links, size = self.links(at, to, out), self.size(out // 2)
        if size - 1 in links:  # the link that closes the ring
            return frozenset((UPPER,))
        return frozenset((LOWER,)) if (size - 1) // 2 in links else BOTH

    def journey(self, source: Place, to: Place) -> Iterator[tuple[Place, int]]:
        """Routers, and the ports by which the packet comes in."""
        at, came_by = source, LOCAL
        while True:
            yield at, came_by
            out = self.out(at, to)
            if out == LOCAL:
                return
            at, came_by = self.step(at, out), out ^ 1
