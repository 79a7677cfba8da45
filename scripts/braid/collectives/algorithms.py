"""How collectives are done: by rings, trees, halving and doubling, directly, or over a diamond ring.

Each function adds its messages to a plan whose pieces are the group's ranks (`PER_RANK`: piece i is what rank i ends
or begins with), or segments of the data that follow each other through a tree (`SEGMENTS`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from braid.collectives import trees
from braid.collectives.plan import Number, Plan
from braid.errors import InputError


class Pieces(Enum):
    """What the data are cut into."""

    PER_RANK = "one for each rank"
    SEGMENTS = "segments"


def ring_reduce_scatter(plan: Plan) -> list[list[Number]]:
    """n - 1 steps: each rank adds its piece to what comes and passes it on. Rank i ends with piece i."""
    n = plan.ranks
    before: list[list[Number]] = [[] for _ in range(n)]
    for step in range(n - 1):
        sent = [plan.send(i, (i + 1) % n, [(i - step - 1) % n], reduces=True, after=before[i]) for i in range(n)]
        before = [[sent[i - 1]] for i in range(n)]
    return before


def ring_all_gather(plan: Plan, before: list[list[Number]]) -> None:
    """n - 1 steps: each rank passes on what came last."""
    n = plan.ranks
    for step in range(n - 1):
        sent = [plan.send(i, (i + 1) % n, [(i - step) % n], reduces=False, after=before[i]) for i in range(n)]
        before = [[sent[i - 1]] for i in range(n)]


def halving_reduce_scatter(plan: Plan) -> list[list[Number]]:
    """log2 n steps, between ranks that differ in one bit, the highest first: half of what is left goes over."""
    n = _power_of_two(plan)
    before: list[list[Number]] = [[] for _ in range(n)]
    distance = n // 2
    while distance:
        sent = []
        for i in range(n):
            first = (i ^ distance) & -distance
            pieces = range(first, first + distance)
            sent.append(plan.send(i, i ^ distance, pieces, reduces=True, after=before[i]))
        before = [[*before[i], sent[i ^ distance]] for i in range(n)]
        distance //= 2
    return before


def doubling_all_gather(plan: Plan, before: list[list[Number]]) -> None:
    """log2 n steps, the lowest bit first: what a rank has goes over, and it has twice as much."""
    n = _power_of_two(plan)
    distance = 1
    while distance < n:
        sent = []
        for i in range(n):
            first = i & -distance
            pieces = range(first, first + distance)
            sent.append(plan.send(i, i ^ distance, pieces, reduces=False, after=before[i]))
        before = [[*before[i], sent[i ^ distance]] for i in range(n)]
        distance *= 2


def _power_of_two(plan: Plan) -> int:
    if plan.ranks & (plan.ranks - 1):
        raise InputError(f"halving_doubling among {plan.ranks} ranks: expected a power of two, or ring or direct")
    return plan.ranks


def direct_reduce_scatter(plan: Plan) -> list[list[Number]]:
    """One step: everybody sends everybody its piece, the next rank's first."""
    n = plan.ranks
    came: list[list[Number]] = [[] for _ in range(n)]
    for apart in range(1, n):
        for i in range(n):
            to = (i + apart) % n
            came[to].append(plan.send(i, to, [to], reduces=True))
    return came


def direct_all_gather(plan: Plan, before: list[list[Number]]) -> None:
    """One step: everybody sends everybody its own piece."""
    n = plan.ranks
    for apart in range(1, n):
        for i in range(n):
            plan.send(i, (i + apart) % n, [i], reduces=False, after=before[i])


def direct_all_to_all(plan: Plan) -> None:
    """Everybody sends each other its part at once. Piece i * n + j is what rank i has for rank j."""
    n = plan.ranks
    for apart in range(1, n):
        for i in range(n):
            to = (i + apart) % n
            plan.send(i, to, [i * n + to], reduces=False)


def pairwise_all_to_all(plan: Plan) -> None:
    """n - 1 rounds: in round r rank i sends to rank i + r, when that of the round before has come."""
    n = plan.ranks
    before: list[list[Number]] = [[] for _ in range(n)]
    for apart in range(1, n):
        sent = []
        for i in range(n):
            to = (i + apart) % n
            sent.append(plan.send(i, to, [i * n + to], reduces=False, after=before[i]))
        before = [[sent[(i - apart) % n]] for i in range(n)]


def _both(
    scatter: Callable[[Plan], list[list[Number]]], gather: Callable[[Plan, list[list[Number]]], None]
) -> Callable[[Plan], None]:
    """An all-reduce: each piece is summed up at its rank, and goes to all from there."""
    return lambda plan: gather(plan, scatter(plan))


def _from_begin(gather: Callable[[Plan, list[list[Number]]], None]) -> Callable[[Plan], None]:
    return lambda plan: gather(plan, [[] for _ in range(plan.ranks)])


def _scatter_only(scatter: Callable[[Plan], list[list[Number]]]) -> Callable[[Plan], None]:
    def add(plan: Plan) -> None:
        scatter(plan)

    return add


@dataclass(frozen=True)
class Algorithm:
    """How one collective is done."""

    pieces: Pieces
    add: Callable[[Plan], None]


#: Operation -> name -> algorithm; the first of each is the one that is taken unless another is asked for.
ALGORITHMS: dict[str, dict[str, Algorithm]] = {
    "all_reduce": {
        "ring": Algorithm(Pieces.PER_RANK, _both(ring_reduce_scatter, ring_all_gather)),
        "tree": Algorithm(Pieces.SEGMENTS, trees.all_reduce(trees.binary)),
        "halving_doubling": Algorithm(Pieces.PER_RANK, _both(halving_reduce_scatter, doubling_all_gather)),
        "direct": Algorithm(Pieces.PER_RANK, _both(direct_reduce_scatter, direct_all_gather)),
        "diamond_ring": Algorithm(Pieces.SEGMENTS, trees.all_reduce(trees.diamond_ring)),
    },
    "reduce_scatter": {
        "ring": Algorithm(Pieces.PER_RANK, _scatter_only(ring_reduce_scatter)),
        "halving_doubling": Algorithm(Pieces.PER_RANK, _scatter_only(halving_reduce_scatter)),
        "direct": Algorithm(Pieces.PER_RANK, _scatter_only(direct_reduce_scatter)),
    },
    "all_gather": {
        "ring": Algorithm(Pieces.PER_RANK, _from_begin(ring_all_gather)),
        "halving_doubling": Algorithm(Pieces.PER_RANK, _from_begin(doubling_all_gather)),
        "direct": Algorithm(Pieces.PER_RANK, _from_begin(direct_all_gather)),
    },
    "all_to_all": {
        "direct": Algorithm(Pieces.PER_RANK, direct_all_to_all),
        "pairwise": Algorithm(Pieces.PER_RANK, pairwise_all_to_all),
    },
    "broadcast": {
        "tree": Algorithm(Pieces.SEGMENTS, trees.broadcast(trees.binary)),
        "diamond_ring": Algorithm(Pieces.SEGMENTS, trees.broadcast(trees.diamond_ring)),
    },
    "reduce": {
        "tree": Algorithm(Pieces.SEGMENTS, trees.reduce(trees.binary)),
        "diamond_ring": Algorithm(Pieces.SEGMENTS, trees.reduce(trees.diamond_ring)),
    },
}


def planned(operation: str, name: str, ranks: int, size: int, segments: int) -> Plan:
    """Messages for `size` bytes: of an all-gather those that each rank begins with, of the others those that it has at
    the begin. The root of a broadcast or a reduction is rank 0 of its group. Raises InputError."""
    algorithm = ALGORITHMS[operation][name]
    if operation == "all_to_all":
        plan = Plan(ranks, ranks * ranks, size * ranks)
    elif algorithm.pieces is Pieces.PER_RANK:
        plan = Plan(ranks, ranks, size * ranks if operation == "all_gather" else size)
    else:
        plan = Plan(ranks, max(1, min(segments, size)), size)
    if ranks > 1:
        algorithm.add(plan)
    return plan
