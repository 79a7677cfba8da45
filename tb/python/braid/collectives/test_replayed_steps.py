"""Traces on networks: closed forms to the cycle, what hides what, who waits for whom, and what is refused."""

import math
from itertools import pairwise
from typing import Any

import braid
import pytest
from braid.collectives import step
from braid.collectives.algorithms import ALGORITHMS
from braid.collectives.machine import Machine, Settings
from braid.collectives.trace import Kind, Operation
from braid.errors import InputError

RING_OF_16 = [0, 1, 2, 3, 7, 6, 5, 9, 10, 11, 15, 14, 13, 12, 8, 4]  # neighbours on a 4x4 mesh
RING_OF_8 = [0, 1, 2, 3, 7, 6, 5, 4]


def latency(links: int, flits: int) -> int:
    """Of a message alone (docs/router.md): 3 cycles, 5 a router, and its other flits behind the head."""
    return 3 + 5 * (links + 1) + flits - 1


def collective(number: int, size: int, kind: int = 0, after: tuple[int, ...] = (), **more: Any) -> Operation:
    attributes = {"comm_type": kind, "comm_size": size, **more}
    return Operation(number, f"c{number}", Kind.COLLECTIVE, after, 0, attributes, f"node {number}")


def compute(number: int, micros: int, after: tuple[int, ...] = (), **more: Any) -> Operation:
    return Operation(number, f"w{number}", Kind.COMPUTE, after, micros, more, f"node {number}")


def message(number: int, kind: Kind, after: tuple[int, ...] = (), **more: Any) -> Operation:
    return Operation(number, f"m{number}", kind, after, 0, {"comm_size": 64, **more}, f"node {number}")


def ran(trace: list[list[Operation]], width: int, height: int, **settings: Any) -> Machine:
    machine = Machine(trace, braid.Network(braid.mesh(width, height, rate=0)), Settings(**settings))
    machine.run()
    return machine


@pytest.mark.parametrize("size", [16 * 1024, 1 << 20])
def test_an_all_reduce_over_a_ring_of_neighbours_is_the_closed_form(size: int) -> None:
    """2 (n - 1) steps (alpha + beta size / n), to the cycle: alpha the zero-load latency, beta a flit a cycle."""
    machine = ran([[collective(0, size)] for _ in range(16)], 4, 4, nodes=RING_OF_16)
    assert machine.now == 30 * latency(1, size // 16 // 16)


@pytest.mark.parametrize(
    ("kind", "operation", "steps", "share"), [(7, "reduce_scatter", 15, 16), (2, "all_gather", 15, 1)]
)
def test_its_halves_as_well(kind: int, operation: str, steps: int, share: int) -> None:
    machine = ran([[collective(0, 16384, kind)] for _ in range(16)], 4, 4, nodes=RING_OF_16)
    assert machine.now == steps * latency(1, 16384 // share // 16)
    assert machine.collectives[0].key.operation == operation


def test_messages_written_out_take_as_long_as_the_collective() -> None:
    """The same ring as sends and receives, each after what came before: what a collective is made of."""
    n, size = 8, 8 * 1024
    ranks: list[list[Operation]] = []
    for rank in range(n):
        own: list[Operation] = []
        for turn in range(2 * (n - 1)):
            after = (2 * turn - 1,) if turn else ()
            own.append(message(2 * turn, Kind.SEND, after, comm_dst=(rank + 1) % n, comm_tag=turn, comm_size=size // n))
            own.append(message(2 * turn + 1, Kind.RECEIVE, after, comm_src=(rank - 1) % n, comm_tag=turn))
        ranks.append(own)
    written_out = ran(ranks, 4, 2, nodes=RING_OF_8, at_once=2)
    assert written_out.now == 14 * latency(1, size // n // 16)
    assert written_out.now == ran([[collective(0, size)] for _ in range(n)], 4, 2, nodes=RING_OF_8).now


@pytest.mark.parametrize("name", ALGORITHMS["all_reduce"])
@pytest.mark.parametrize("size", [256, 1 << 16])
def test_no_algorithm_beats_the_bound(name: str, size: int) -> None:
    """The bounds of bandwidth and of latency: no all-reduce is faster than 2 (n - 1) / n of the data through the link
    of a node, nor than log2 n messages one after the other."""
    n = 16
    machine = ran([[collective(0, size)] for _ in range(n)], 4, 4, algorithms={"all_reduce": name})
    flits = size / 16
    assert machine.now >= max(2 * (n - 1) / n * flits, math.log2(n) * latency(1, 1))
    assert machine.now <= 2 * (n - 1) * (latency(6, 1) + flits)  # one after the other, over the longest way


def test_a_message_takes_what_the_network_says() -> None:
    trace = [[message(0, Kind.SEND, comm_dst=1)], [message(0, Kind.RECEIVE, comm_src=0)]]
    for nodes, links in (([0, 1], 1), ([0, 15], 6)):
        assert ran(trace, 4, 4, nodes=nodes).now == latency(links, 4)


def test_a_flit_that_is_not_full_is_sent_and_a_message_is_received_once() -> None:
    odd = [[message(0, Kind.SEND, comm_dst=1, comm_size=65)], [message(0, Kind.RECEIVE, comm_src=0)]]
    assert ran(odd, 2, 1).now == latency(1, 5)
    early = [[message(0, Kind.SEND, comm_dst=1)], [compute(0, 1), message(1, Kind.RECEIVE, (0,), comm_src=0)]]
    assert ran(early, 2, 1).now == 1000
    early[1].append(message(2, Kind.RECEIVE, (1,), comm_src=0))
    with pytest.raises(InputError, match="waits for ever"):
        ran(early, 2, 1)


def test_cycles_of_computing() -> None:
    """One after the other on one accelerator; beside it the processor; micros times the clock."""
    both = [compute(0, 3), compute(1, 4), compute(2, 5, is_cpu_op=True)]
    assert ran([both], 2, 2).now == 7000
    assert ran([both], 2, 2, clock_ghz=0.5).now == 3500
    assert ran([[compute(0, 3), compute(1, 4, (0,), is_cpu_op=True)]], 2, 2).now == 7000
    machine = ran([[compute(0, 0)]], 2, 2)
    assert machine.now == 0
    assert machine.without_time == 1


def test_the_roofline() -> None:
    """num_ops over the peak, or tensor_size over the memory, whichever is longer."""
    work = [compute(0, 9, num_ops=2_000_000, tensor_size=1000)]
    assert ran([work], 2, 2, tflops=1.0).now == 2000
    assert ran([work], 2, 2, tflops=1.0, memory_gbps=0.25).now == 4000
    assert ran([work], 2, 2).now == 9000


def test_what_computing_hides() -> None:
    """A collective of 3,000 cycles and more beside work of 2,000: exposed is the rest."""
    whole = ran([[collective(0, 16384)] for _ in range(16)], 4, 4, nodes=RING_OF_16).now
    assert whole > 2000
    machine = ran([[collective(0, 16384), compute(1, 2)] for _ in range(16)], 4, 4, nodes=RING_OF_16)
    for rank in machine.ranks:
        assert (rank.times.both, rank.times.exposed, rank.times.computed, rank.times.idle) == (2000, whole - 2000, 0, 0)
        assert rank.times.overlap == 2000 / whole
    after = ran([[collective(0, 16384), compute(1, 2, (0,))] for _ in range(16)], 4, 4, nodes=RING_OF_16)
    assert after.now == whole + 2000
    assert {rank.times.overlap for rank in after.ranks} == {0}


def test_who_comes_late_is_waited_for() -> None:
    """Rank 3 computes first: the ring's sums stop at it, and the others wait."""
    trace = [[compute(0, 5 if rank == 3 else 0), collective(1, 64, after=(0,))] for rank in range(4)]
    machine = ran(trace, 2, 2)
    assert machine.collectives[0].first_start == 0
    assert machine.now > 5000 + latency(1, 1)
    assert machine.ranks[0].times.exposed == machine.now


def test_groups_and_their_turns() -> None:
    """Two groups at once; in a group the first collective by id meets the first of the others, whoever is sooner."""
    groups = {"left": [0, 1], "right": [2, 3]}
    trace = [
        [collective(0, 64, pg_name=name), collective(1, 128, pg_name=name)]
        for name in ("left", "left", "right", "right")
    ]
    machine = ran(trace, 2, 2, groups=groups)
    assert [(one.ranks, one.key.size) for one in machine.collectives] == [
        ([0, 1], 64), ([2, 3], 64), ([0, 1], 128), ([2, 3], 128),
    ]  # fmt: skip
    late = [
        [compute(0, 1), collective(1, 64, after=(0,)), collective(2, 128)],
        [collective(1, 64), collective(2, 128)],
    ]
    machine = ran(late, 2, 1, at_once=2)
    assert {one.key.size for one in machine.collectives} == {64, 128}


def test_the_sums_add_up() -> None:
    machine = ran([[compute(0, 1), collective(1, 4096, after=(0,))] for _ in range(16)], 4, 4)
    found = step.figures(machine)
    assert found["cycles"] == machine.now
    for rank in found["ranks"]:
        assert rank["computed"] + rank["exposed"] + rank["idle"] == machine.now
    assert found["flits"] == 30 * 16 * 16
    assert found["packets"] == 30 * 16
    assert found["other_packets"] == 0
    crossed = sum(link["load"] for link in found["links"]) * machine.now
    hops = sum(abs(a % 4 - b % 4) + abs(a // 4 - b // 4) for a, b in pairwise([*range(16), 0]))
    assert crossed == pytest.approx(30 * 16 * hops)


def test_the_same_trace_takes_the_same_cycles_again() -> None:
    trace = [[collective(0, 4096, 6), compute(1, 1), collective(2, 512, after=(0, 1))] for _ in range(16)]
    first, second = ran(trace, 4, 4), ran(trace, 4, 4)
    assert first.now == second.now
    assert first.network.packet_hash == second.network.packet_hash


@pytest.mark.parametrize(
    ("trace", "settings", "said"),
    [
        ([[message(0, Kind.RECEIVE, comm_src=1)], []], {}, 'node 0 ("m0"): waits for ever'),
        ([[collective(0, 64)], []], {}, "node 0 (\"c0\"): waits for ever"),
        ([[collective(0, 64)], [collective(0, 65)]], {}, "65 bytes, where another rank of its group has"),
        ([[collective(0, 64, 77)], []], {}, "node 0: comm_type 77: expected one of 0 all_reduce"),
        ([[collective(0, 64, pg_name="x")], []], {}, 'node 0: group "x" (pg_name): expected one of --groups: none'),
        ([[collective(0, 64, pg_name="x")], []], {"groups": {"x": [1]}}, 'node 0: rank 0 is not of group "x"'),
        ([[collective(0, 64, involved_dim=[True, False])], []], {}, "node 0: involved_dim leaves some out"),
        ([[message(0, Kind.SEND)], []], {}, "node 0 (\"m0\"): comm_dst = nothing: expected 0 or more"),
        ([[message(0, Kind.SEND, comm_dst=0)], []], {}, "node 0: comm_dst = 0: expected another rank, 0 to 1"),
        ([[message(0, Kind.SEND, comm_dst=2)], []], {}, "node 0: comm_dst = 2: expected another rank, 0 to 1"),
        ([[], []], {"nodes": [0, 4]}, "rank 1 at node 4: expected 0 to 3"),
        ([[], []], {"nodes": [1, 1]}, "two ranks at node 1: expected a node for each"),
        ([[], []], {"nodes": [1]}, "1 nodes for 2 ranks"),
        ([[collective(0, 64)] for _ in range(3)], {"algorithms": {"all_reduce": "halving_doubling"}}, "among 3 ranks"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(trace: list[list[Operation]], settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as wrong:
        ran(trace, 2, 2, **settings)
    assert said in str(wrong.value)
    assert "\n" not in str(wrong.value)
