"""Collectives over trees: sums go up to rank 0, results come down, in segments that follow each other.

A diamond ring (paper: diamond-rings, section 3) is a tree that scatters, a centre of chains, and the tree's mirror
image that gathers, rank 0 at both ends. Sums take the shortest ways along its links to rank 0, results the shortest
ways from it, so the two halves share the work: who gathers many is not who tells many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from braid.collectives.plan import Number, Plan

ARITY = 2
Links = list[list[int]]  # [rank] to whom


@dataclass(frozen=True)
class Shape:
    """Two trees of the same ranks, rank 0 the root of both."""

    above: list[int]
    """[rank] the next on the way up; rank 0: itself."""
    below: Links
    """[rank] those that it tells on the way down."""


def binary(ranks: int) -> Shape:
    """The complete tree: below rank i are 2 i + 1 and 2 i + 2."""
    above = [max(0, (i - 1) // ARITY) for i in range(ranks)]
    return Shape(above, _children(above))


def diamond_ring(ranks: int) -> Shape:
    """Of arity 2; any number of ranks."""
    links = ring_links(ranks)
    back: Links = [[] for _ in range(ranks)]
    for source, all_told in enumerate(links):
        for told in all_told:
            back[told].append(source)
    return Shape(_parents(back), _children(_parents(links)))


def ring_links(ranks: int) -> Links:
    """[rank] to whom, in the ring. Nodes of the tree are numbered from the root, 0, row by row: node i gathers as rank
    i and scatters as rank `ranks` - i. Its leaves are chains of the centre; so many of the first have one rank more, or
    none, as there are ranks too many or too few for one each."""
    inner, leaves = 0, ARITY  # nodes between root and leaves; leaves
    while ranks - 1 - 2 * inner - leaves > leaves:
        inner, leaves = inner + leaves, leaves * ARITY
    more = ranks - 1 - 2 * inner - leaves
    chains: Links = [[] for _ in range(leaves)]
    rank = ranks - 1 - inner  # of the first row, the highest; a second one stands below
    for chain in range(leaves - 1, max(0, -more) - 1, -1):
        chains[chain].append(rank)
        rank -= 1
    for chain in range(more - 1, -1, -1):
        chains[chain].append(rank)
        rank -= 1
    links: Links = [[] for _ in range(ranks)]
    for node in range(1, inner + 1):
        links[node].append((node - 1) // ARITY)
        links[-((node - 1) // ARITY) % ranks].append(ranks - node)
    for number, chain_ranks in enumerate(chains):  # from the side that gathers; the last that scatters first
        gathers, scatters = inner + 1 + number, inner + leaves - number
        way = [-((scatters - 1) // ARITY) % ranks, *chain_ranks, (gathers - 1) // ARITY]
        for source, told in pairwise(way):
            if source != told:
                links[source].append(told)
    return links


def _parents(links: Links) -> list[int]:
    """[rank] from whom it is reached first, breadth first from rank 0."""
    parent = [0] + [-1] * (len(links) - 1)
    order = [0]
    for rank in order:
        for told in links[rank]:
            if parent[told] < 0:
                parent[told] = rank
                order.append(told)
    return parent


def _children(above: list[int]) -> Links:
    below: Links = [[] for _ in above]
    for rank in range(1, len(above)):
        below[above[rank]].append(rank)
    return below


def _up(plan: Plan, shape: Shape) -> list[list[Number]]:
    """[segment] the messages that bring the last sums to rank 0."""
    below = _children(shape.above)
    order = [0]
    for rank in order:
        order.extend(below[rank])
    last: list[list[Number]] = []
    for segment in plan.all_pieces():
        came: list[list[Number]] = [[] for _ in range(plan.ranks)]
        for rank in reversed(order[1:]):
            to = shape.above[rank]
            came[to].append(plan.send(rank, to, [segment], reduces=True, after=came[rank]))
        last.append(came[0])
    return last


def _down(plan: Plan, shape: Shape, before: list[list[Number]]) -> None:
    for segment in plan.all_pieces():
        after: dict[int, list[Number]] = {0: before[segment]}
        order = [0]
        for rank in order:
            for to in shape.below[rank]:
                after[to] = [plan.send(rank, to, [segment], reduces=False, after=after[rank])]
                order.append(to)


Add = Callable[[Plan], None]


def all_reduce(shape: Callable[[int], Shape]) -> Add:
    """Up and down."""

    def add(plan: Plan) -> None:
        links = shape(plan.ranks)
        _down(plan, links, _up(plan, links))

    return add


def reduce(shape: Callable[[int], Shape]) -> Add:
    """Up."""

    def add(plan: Plan) -> None:
        _up(plan, shape(plan.ranks))

    return add


def broadcast(shape: Callable[[int], Shape]) -> Add:
    """Down."""

    def add(plan: Plan) -> None:
        _down(plan, shape(plan.ranks), [[] for _ in plan.all_pieces()])

    return add
