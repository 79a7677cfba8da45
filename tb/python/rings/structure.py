"""Diamond rings and balanced trees as graphs, from the paper's words (sections 3, 3.1 and 3.4), not from its equations.

A k-ary tree of depth l is written down twice, once as it is (scatter nodes), once with its links turned (gather
nodes); the two share the root and the leaves (centre). A place is the way to it from the root, a tuple of 0..k-1 a
level; the leaf at a place belongs to both trees, so each leaf closes one ring. Contamination c changes leaves only:

- c > 0: the last c leaves become chains of two nodes;
- c < 0: the last -c leaves are skipped, the scatter node above sends to its mirror image itself. Several skipped
  leaves of one scatter node make parallel links, kept or merged into one. With l = 1 the node above is the root, and
  its mirror image is the root, too: such a link is dropped, the root sends itself nothing. Likewise with a companion
  (below), which would learn nothing from it.

With `added` (section 3.1: "one can only add further center nodes") no leaf is skipped: the level is the highest whose
pure ring has no more than n nodes, and chains get a third node and more, a whole row of the leaves after the other, of
the last row the last leaves only. At l = 1 leaves are skipped all the same, for no ring of arity k has less than k.

Which leaves are contaminated is open in the paper. "Last" is in the order in which scatter nodes send. With `spread`,
contaminated leaves are spread evenly instead.

Numbers: root 0; the scatter tree downwards by levels n-1, n-2, ...; the leaves likewise, second nodes of chains
behind all leaves; gather nodes upwards, so that the mirror image of the first scatter node has the highest number of
its level.

Companion (section 3.4): "an additional gather node takes the position of node n". It is a node of its own, handles
the event as every other, and is one of the n nodes asked for: a ring over n-1 nodes has its root's incoming links
turned to node n-1, the companion, which sends to node 0. So a machine of n cores has n nodes with a companion or
without, and every node has at most k+1 links. It takes three nodes at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product

Place = tuple[int, ...]


@dataclass(eq=False)
class Ring:
    """A diamond ring: successors and predecessors by node, in the order of sends; a parallel link is there twice."""

    n: int
    k: int
    level: int
    contamination: int
    kinds: list[str]
    successors: list[list[int]]
    predecessors: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.predecessors = [[] for _ in range(self.n)]
        for node, following in enumerate(self.successors):
            for successor in following:
                self.predecessors[successor].append(node)

    @property
    def messages(self) -> int:
        return sum(len(following) for following in self.successors)

    def hops(self) -> int:
        """Links of the longest way from the root back to the root."""
        longest = [0] * self.n
        for node in self.in_order():
            for successor in self.successors[node]:
                longest[successor] = max(longest[successor], longest[node] + 1)
        return longest[0]

    def in_order(self) -> Iterator[int]:
        """The nodes from the root on, each behind all of its predecessors; each of them, or the graph is no ring."""
        waits = [len(before) for before in self.predecessors]
        ready = [0]
        while ready:
            node = ready.pop()
            yield node
            for successor in self.successors[node]:
                waits[successor] -= 1
                if waits[successor] == 0 and successor != 0:
                    ready.append(successor)
        assert not any(waits), "a node that hears nothing, or too little"


@dataclass(eq=False)
class Tree:
    """A balanced k-ary tree, filled level by level; acknowledgements go back the same way."""

    n: int
    k: int
    children: list[list[int]] = field(init=False)
    parent: list[int | None] = field(init=False)

    def __post_init__(self) -> None:
        self.children = [[] for _ in range(self.n)]
        self.parent = [None] * self.n
        level, rest = [0], iter(range(1, self.n))
        while level:
            below = []
            for node in level:
                for _, child in zip(range(self.k), rest, strict=False):
                    self.children[node].append(child)
                    self.parent[child] = node
                    below.append(child)
            level = below

    @property
    def messages(self) -> int:
        return 2 * sum(len(below) for below in self.children)

    def hops(self) -> int:
        """Down to the deepest node and back."""
        depth = [0] * self.n
        for node in range(1, self.n):
            depth[node] = depth[self.parent[node]] + 1
        return 2 * max(depth)


@dataclass(eq=False)
class Multicast(Tree):
    """The root tells all others by one packet, which routers copy; each answers."""

    def __init__(self, n: int) -> None:
        super().__init__(n, max(n - 1, 1))

    @property
    def messages(self) -> int:
        return 1 + len(self.children[0])


@dataclass(eq=False)
class LogPTree(Tree):
    """The tree that informs n nodes soonest in the LogP model (Karp et al. 1993): of the infinite tree in which a node
    informed at t has informed its i-th child, i = 0, 1, …, at t + L + 2 o + i max(g, o), the n nodes informed first. Of
    those informed at the same time the children of who was informed first."""

    latency: int = 1
    overhead: int = 1
    gap: int = 1
    informed: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.children = [[] for _ in range(self.n)]
        self.parent = [None] * self.n
        self.informed = [0]
        for node in range(1, self.n):
            at, above = min((self.time_of_next(above), above) for above in range(node))
            self.children[above].append(node)
            self.parent[node] = above
            self.informed.append(at)

    def time_of_next(self, node: int) -> int:
        wait = len(self.children[node]) * max(self.gap, self.overhead)
        return self.informed[node] + wait + self.latency + 2 * self.overhead


def pure_size(k: int, level: int) -> int:
    """Nodes of the ring without contamination: the root once, every inner level twice, the leaves once."""
    return 1 + sum(2 * k**depth for depth in range(1, level)) + k**level


def level_of(n: int, k: int, *, added: bool) -> int:
    """The least level whose leaves can take up the difference (section 3.2; a node stays in the centre)."""
    if added:
        return max((level for level in range(1, n) if pure_size(k, level) <= n), default=1)
    level, size = 1, pure_size(k, 1)
    while not -(k**level) < n - size <= k**level:
        size += k**level + k ** (level + 1)
        level += 1
    return level


def contaminated(k: int, level: int, c: int, spread: bool) -> set[Place]:
    leaves = list(product(range(k), repeat=level))
    if spread:
        return {leaves[i * len(leaves) // abs(c)] for i in range(abs(c))}
    return set(leaves[len(leaves) - abs(c) :])


def chain_lengths(k: int, level: int, c: int, spread: bool) -> dict[Place, int]:
    """Nodes in the chain of every leaf."""
    leaves = list(product(range(k), repeat=level))
    if c <= 0:
        skipped = contaminated(k, level, c, spread) if c else set()
        return {leaf: 0 if leaf in skipped else 1 for leaf in leaves}
    whole, rest = (c - 1) // len(leaves), (c - 1) % len(leaves) + 1
    more = contaminated(k, level, rest, spread)
    return {leaf: 1 + whole + (leaf in more) for leaf in leaves}


def diamond_ring(
    n: int, k: int, *, companion: bool = False, merged: bool = False, spread: bool = False, added: bool = False
) -> Ring:
    """The ring over n nodes with at most k successors each; n >= 2, with a companion n >= 3."""
    size = n - 1 if companion else n
    if size < 2 or k < 1:
        raise ValueError(f"no diamond ring of {n} nodes, arity {k}{' with a companion' if companion else ''}")
    level = level_of(size, k, added=added)
    c = size - pure_size(k, level)
    links = list(named_links(k, level, chain_lengths(k, level, c, spread)))
    names = numbering(k, level, {end for link in links for end in link})
    assert len(names) == size
    number = {name: i for i, name in enumerate(names)}
    number["gather", ()] = n - 1 if companion else 0
    successors: list[list[int]] = [[] for _ in range(n)]
    for a, b in links:
        sender, receiver = number[a], number[b]
        to_itself = a[1] == b[1] == ()
        if not to_itself and not (merged and receiver in successors[sender]):
            successors[sender].append(receiver)
    kinds = ["root"] + [name[0] for name in names[1:]]
    if companion:
        successors[n - 1].append(0)
        kinds.append("companion")
    return Ring(n, k, level, c, kinds, successors)


def named_links(k: int, level: int, lengths: dict[Place, int]) -> Iterator[tuple[tuple, tuple]]:
    """Links between (kind, place), the scatter tree's first, in the order in which nodes send. The roots of the two
    trees are ("scatter", ()) and ("gather", ()); further nodes of a chain have a longer name each."""
    for depth in range(1, level):
        for place in product(range(k), repeat=depth):
            yield ("scatter", place[:-1]), ("scatter", place)
            yield ("gather", place), ("gather", place[:-1])
    for leaf in product(range(k), repeat=level):
        above, below = ("scatter", leaf[:-1]), ("gather", leaf[:-1])
        chain = [("centre", leaf, *("next",) * i) for i in range(lengths[leaf])]
        way = [above, *chain, below]
        yield from pairwise(way)


def numbering(k: int, level: int, names: set[tuple]) -> list[tuple]:
    """The names by number, the gather tree's root left out: it is the root, or the companion."""
    down = [("scatter", place) for depth in range(1, level) for place in product(range(k), repeat=depth)]
    leaves = sorted((name for name in names if name[0] == "centre"), key=lambda name: (len(name), name[1]))
    up = [("gather", place) for depth in range(1, level) for place in reversed(list(product(range(k), repeat=depth)))]
    return [("scatter", ()), *up, *reversed(leaves), *reversed(down)]
