"""How often each filter, splitter and joiner fires in a steady state.

A container's steady state is found from those of its parts, so that rates which do not fit belong to one container.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from .elaborate import Container, Divider, Filter, Stream
from .errors import StreamItError

Times = dict[tuple[int, str], int]  # by the stream's id() and filter, splitter or joiner


def balance(top: Stream) -> Times:
    solver = _Balance()
    solver.flow(top)
    times: Times = {}
    solver.spread(top, 1, times)
    return times


class _Balance:
    def __init__(self) -> None:
        self.shares: dict[int, list[int]] = {}  # firings of children, splitter and joiner in one of the container

    def flow(self, stream: Stream) -> tuple[int, int]:
        """What the stream takes and gives in its smallest steady state."""
        if isinstance(stream, Filter):
            return stream.work.pop, stream.work.push
        assert isinstance(stream, Container)
        flows = [self.flow(child) for child in stream.children]
        return getattr(self, stream.kind)(stream, flows)

    def keep(self, stream: Container, times: list[Fraction]) -> list[int]:
        """The smallest whole numbers in those ratios."""
        scale = lcm(*(t.denominator for t in times))
        numbers = [int(t * scale) for t in times]
        common = gcd(*numbers) or 1
        self.shares[id(stream)] = [number // common for number in numbers]
        return self.shares[id(stream)]

    def spread(self, stream: Stream, times: int, found: Times) -> None:
        if isinstance(stream, Filter):
            found[id(stream), "filter"] = times
            return
        assert isinstance(stream, Container)
        shares = [times * share for share in self.shares[id(stream)]]
        for child, share in zip(stream.children, shares, strict=False):
            self.spread(child, share, found)
        if stream.kind != "pipeline":
            found[id(stream), "splitter"], found[id(stream), "joiner"] = shares[-2:]

    def pipeline(self, stream: Container, flows: list[tuple[int, int]]) -> tuple[int, int]:
        times = [Fraction(1)]
        for (_, given), (taken, _), reader in zip(flows, flows[1:], stream.children[1:], strict=False):
            if (given == 0) != (taken == 0):
                what = "takes what nobody gives" if taken else "takes nothing of what it is given"
                raise StreamItError(reader.at, f"'{reader.name}' {what}: its rate or the one before is 0")
            times.append(times[-1] * given / taken if taken else times[-1])
        shares = self.keep(stream, times)
        return flows[0][0] * shares[0], flows[-1][1] * shares[-1]

    def splitjoin(self, stream: Container, flows: list[tuple[int, int]]) -> tuple[int, int]:
        assert stream.split is not None and stream.join is not None
        split, join = stream.split.weights, stream.join.weights
        for child, (taken, given), s, j in zip(stream.children, flows, split, join, strict=True):
            if (taken == 0) != (s == 0) or (given == 0) != (j == 0):
                raise StreamItError(
                    stream.declared_at,
                    f"inconsistent rates in '{stream.name}': '{child.name}' takes {taken} and gives {given} a steady "
                    f"state, its weights are {s} and {j}",
                )
        rounds = [
            Fraction(s * given, taken * j) for (taken, given), s, j in zip(flows, split, join, strict=True) if s * j
        ]
        join_rounds = rounds[0] if rounds else Fraction(1)
        if any(r != join_rounds for r in rounds):
            raise StreamItError(
                stream.declared_at,
                f"inconsistent rates in '{stream.name}': for each round of the splitter its branches allow "
                f"{', '.join(str(r) for r in rounds)} rounds of the joiner",
            )
        times = [
            Fraction(s, taken) if s else join_rounds * j / given if j else Fraction(1)
            for (taken, given), s, j in zip(flows, split, join, strict=True)
        ]
        shares = self.keep(stream, [*times, Fraction(any(split)), join_rounds * any(join)])
        return _single_side(stream.split) * shares[-2], _single_side(stream.join) * shares[-1]

    def feedbackloop(self, stream: Container, flows: list[tuple[int, int]]) -> tuple[int, int]:
        """One round of the joiner, then all around the loop."""
        assert stream.split is not None and stream.join is not None
        (body_takes, body_gives), (loop_takes, loop_gives) = flows
        into, out = _single_side(stream.join), _single_side(stream.split)
        if not all((body_takes, body_gives, loop_takes, loop_gives, stream.join.weights[1], stream.split.weights[1])):
            raise StreamItError(stream.declared_at, f"inconsistent rates in feedback loop '{stream.name}': a rate is 0")
        body = Fraction(into, body_takes)
        split = body * body_gives / out
        loop = split * stream.split.weights[1] / loop_takes
        back = loop * loop_gives
        if back != stream.join.weights[1]:
            raise StreamItError(
                stream.declared_at,
                f"inconsistent rates in feedback loop '{stream.name}': of {stream.join.weights[1]} items that a round "
                f"of its joiner takes from the loop {back} come back",
            )
        shares = self.keep(stream, [body, loop, split, Fraction(1)])
        return stream.join.weights[0] * shares[-1], stream.split.weights[0] * shares[-2]


def _single_side(divider: Divider) -> int:
    return 1 if divider.policy == "duplicate" else sum(divider.weights)
