"""Plans of collectives without a network: what everybody has at the end, that nothing is summed twice, how many bytes
go, and what the diamond ring of the paper's figure looks like."""

import math
import random
from collections.abc import Callable

import pytest
from braid.collectives.algorithms import ALGORITHMS, planned
from braid.collectives.plan import Plan
from braid.collectives.trees import diamond_ring, ring_links
from braid.errors import InputError

Data = list[list[frozenset[int]]]  # [rank][piece] whose parts are in it

ALL = [(operation, name) for operation, names in ALGORITHMS.items() for name in names]
RANKS = [1, 2, 3, 4, 5, 8, 9, 16, 23]


def begin(operation: str, plan: Plan) -> Data:
    """What each rank has before: its own part of all, or of its piece only."""
    nothing: frozenset[int] = frozenset()
    data: Data = [[nothing] * plan.pieces for _ in range(plan.ranks)]
    for rank in range(plan.ranks):
        for piece in plan.all_pieces():
            own = {
                "all_gather": piece == rank,
                "broadcast": rank == 0,
                "all_to_all": plan.ranks > 0 and piece // plan.ranks == rank,
            }.get(operation, True)
            data[rank][piece] = frozenset([rank]) if own else nothing
    return data


def replayed(plan: Plan, data: Data, seed: int) -> Data:
    """Messages in any order that respects what they come after; a message carries what its source has when it goes."""
    chance = random.Random(seed)
    waits = [len(message.after) for message in plan.messages]
    then: list[list[int]] = [[] for _ in plan.messages]
    for number, message in enumerate(plan.messages):
        for after in message.after:
            assert plan.messages[after].destination == message.source
            then[after].append(number)
    ready = [number for number, count in enumerate(waits) if count == 0]
    done = 0
    while ready:
        place = chance.randrange(len(ready))
        ready[place], ready[-1] = ready[-1], ready[place]
        number = ready.pop()
        done += 1
        message = plan.messages[number]
        for piece in message.pieces:
            brought, there = data[message.source][piece], data[message.destination][piece]
            assert brought
            if message.reduces:
                assert not brought & there, f"rank {message.destination} sums up piece {piece} twice"
                brought |= there
            data[message.destination][piece] = brought
        for other in then[number]:
            waits[other] -= 1
            if waits[other] == 0:
                ready.append(other)
    assert done == len(plan.messages), "messages wait for one another"
    return data


def promised(operation: str, plan: Plan, data: Data) -> bool:
    """Does everybody have what the collective gives?"""
    everybody = frozenset(range(plan.ranks))
    n = plan.ranks
    if operation == "all_reduce":
        return all(piece == everybody for rank in data for piece in rank)
    if operation == "reduce":
        return all(piece == everybody for piece in data[0])
    if operation == "reduce_scatter":
        return all(data[rank][rank] == everybody for rank in range(n))
    if operation == "all_gather":
        return all(data[rank][piece] == {piece} for rank in range(n) for piece in range(n))
    if operation == "broadcast":
        return all(piece == {0} for rank in data for piece in rank)
    return all(data[to][of * n + to] == {of} for to in range(n) for of in range(n))


@pytest.mark.parametrize(("operation", "name"), ALL)
def test_everybody_ends_with_what_the_collective_promises(operation: str, name: str) -> None:
    for ranks in RANKS:
        if name == "halving_doubling" and ranks & (ranks - 1):
            with pytest.raises(InputError, match=f"among {ranks} ranks: expected a power of two"):
                planned(operation, name, ranks, 1000, 3)
            continue
        for segments in (1, 3):
            plan = planned(operation, name, ranks, 1000, segments)
            for seed in range(3):
                assert promised(operation, plan, replayed(plan, begin(operation, plan), seed)), (ranks, segments)


def test_a_lost_or_doubled_message_would_be_seen() -> None:
    plan = planned("all_reduce", "ring", 4, 1000, 1)
    plan.messages.pop()
    assert not promised("all_reduce", plan, replayed(plan, begin("all_reduce", plan), 1))
    doubled = planned("all_reduce", "tree", 4, 1000, 1)
    doubled.messages.append(doubled.messages[0])
    with pytest.raises(AssertionError, match="twice"):
        for seed in range(20):
            replayed(doubled, begin("all_reduce", doubled), seed)


@pytest.mark.parametrize(
    ("operation", "name", "factor"),
    [
        ("all_reduce", "ring", lambda n: 2 * (n - 1)),
        ("all_reduce", "halving_doubling", lambda n: 2 * (n - 1)),
        ("all_reduce", "direct", lambda n: 2 * (n - 1)),
        ("all_reduce", "tree", lambda n: 2 * (n - 1)),
        ("all_reduce", "diamond_ring", lambda n: 2 * (n - 1)),
        ("reduce_scatter", "ring", lambda n: n - 1),
        ("all_gather", "ring", lambda n: n * (n - 1)),
        ("all_gather", "halving_doubling", lambda n: n * (n - 1)),
        ("all_to_all", "direct", lambda n: n - 1),
        ("broadcast", "tree", lambda n: n - 1),
    ],
)
def test_bytes_are_those_of_the_textbook(operation: str, name: str, factor: Callable[[int], int]) -> None:
    """Sent by all ranks together, over the size (Thakur, Rabenseifner, Gropp, 2005): all that sum up move 2 (n - 1)
    times the data; of an all-gather the size is what a rank begins with."""
    for ranks in (2, 4, 8, 16):
        plan = planned(operation, name, ranks, 1 << 16, 4)
        assert sum(plan.bytes_of(m) for m in plan.messages) == factor(ranks) << 16


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("ring", lambda n: 2 * (n - 1)),
        ("halving_doubling", lambda n: 2 * round(math.log2(n))),
        ("direct", lambda n: 2),
        ("tree", lambda n: 2 * math.floor(math.log2(n))),
    ],
)
def test_messages_that_follow_each_other(name: str, steps: Callable[[int], int]) -> None:
    for ranks in (2, 4, 8, 16):
        plan = planned("all_reduce", name, ranks, 1 << 16, 1)
        depth: list[int] = []
        for message in plan.messages:
            depth.append(1 + max((depth[after] for after in message.after), default=0))
        assert max(depth) == steps(ranks)


def test_the_diamond_ring_is_the_papers() -> None:
    """Section 3, the ring of nine: 0 tells 8 and 7, they the centre 6 to 3, that 2 and 1, and they 0."""
    nine = [[8, 7], [0], [0], [1], [1], [2], [2], [4, 3], [6, 5]]
    assert [sorted(told) for told in ring_links(9)] == [sorted(told) for told in nine]
    assert sorted(diamond_ring(9).below[0]) == [7, 8]
    for ranks in range(2, 60):
        links = ring_links(ranks)
        heard = [0] * ranks
        for told in links:
            for rank in told:
                heard[rank] += 1
        assert all(0 < len(told) <= 2 for told in links)
        assert all(0 < count <= 2 for count in heard)
