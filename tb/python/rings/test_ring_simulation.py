"""Timelines by hand, a recursion over the graph, and what the model of simulate.py must show."""

import random

import pytest
from simulate import Costs, Simulation, bottleneck, constant, cycles_a_broadcast, latency
from structure import Ring, Tree, diamond_ring

TILE = Costs(receive=19, event=2, send=93, settle=242, after=94)


def timeline(graph: Ring | Tree, **options: bool) -> tuple[list[tuple[int, int, int, str]], int]:
    run = Simulation(graph, TILE, constant(10), **options).run()
    return sorted((node, begin, end, task.kind) for begin, end, node, task in run.tasks), run.completed[0]


def test_three_nodes_of_arity_2_by_hand() -> None:
    """Root 0 sends to 2 until 93 and to 1 until 186. Its first answer comes in 227 and keeps it until 340: the second,
    there in 320, waits 20 cycles. Completed 19 cycles later."""
    tasks, completed = timeline(diamond_ring(3, 2))
    assert tasks == [
        (0, 0, 188, "start"),
        (0, 227, 227 + 19 + 94, "message"),
        (0, 340, 340 + 19 + 242 + 94, "message"),
        (1, 196, 196 + 19 + 2 + 93 + 242 + 94, "message"),  # sent in 310, there in 320
        (2, 103, 103 + 19 + 2 + 93 + 242 + 94, "message"),  # sent in 217, there in 227
    ]
    assert completed == 340 + 19


def test_three_nodes_of_arity_1_by_hand() -> None:
    tasks, completed = timeline(diamond_ring(3, 1))
    assert [(node, begin) for node, begin, _, _ in tasks] == [(0, 0), (0, 351), (1, 227), (2, 103)]
    assert completed == 351 + 19


def test_three_nodes_with_queued_events_by_hand() -> None:
    """What is left of a message's task, its after-work, comes before the event."""
    tasks, completed = timeline(diamond_ring(3, 1), queued=True)
    assert tasks == [
        (0, 0, 93, "start"),
        (0, 93, 95, "event"),
        (0, 539, 539 + 19 + 242 + 94, "message"),
        (1, 321, 321 + 19 + 94, "message"),
        (1, 434, 434 + 2 + 93 + 242, "event"),  # sent in 529
        (2, 103, 103 + 19 + 94, "message"),
        (2, 216, 216 + 2 + 93 + 242, "event"),  # sent in 311
    ]
    assert completed == 539 + 19


def test_seven_nodes_of_a_tree_by_hand() -> None:
    tasks, completed = timeline(Tree(7, 2))
    leaf = 19 + 2 + 93 + 242 + 94
    assert tasks == [
        (0, 0, 188, "start"),
        (0, 639, 639 + 19 + 94, "acknowledgement"),
        (0, 752, 752 + 19 + 242 + 94, "acknowledgement"),  # of node 2, there in 732
        (1, 103, 103 + 19 + 2 * 93 + 2 + 94, "message"),  # sent in 215 and 308
        (1, 404, 404 + 19 + 94, "acknowledgement"),  # of node 3, there in 349
        (1, 517, 517 + 19 + 93 + 242 + 94, "acknowledgement"),  # of node 4, there in 442; sent in 629
        (2, 196, 196 + 19 + 2 * 93 + 2 + 94, "message"),
        (2, 497, 497 + 19 + 94, "acknowledgement"),
        (2, 610, 610 + 19 + 93 + 242 + 94, "acknowledgement"),  # sent in 722
        (3, 225, 225 + leaf, "message"),
        (4, 318, 318 + leaf, "message"),
        (5, 318, 318 + leaf, "message"),
        (6, 411, 411 + leaf, "message"),
    ]
    assert completed == 752 + 19


def test_the_next_broadcast_starts_behind_what_waits() -> None:
    """The second start is queued when the sends of the first are done, and so on."""
    run = Simulation(diamond_ring(2, 1), Costs(receive=5, send=10), constant(1), 3).run()
    assert [(b, e, t.kind) for b, e, node, t in run.tasks if node == 0] == [
        (0, 10, "start"),
        (10, 20, "start"),
        (20, 30, "start"),
        (30, 35, "message"),  # there in 27
        (42, 47, "message"),
        (57, 62, "message"),
    ]


def by_recursion(ring: Ring, costs: Costs, cycles: int) -> int:
    """One broadcast, along the graph: each node takes its messages in the order in which they come."""
    arrivals: list[list[tuple[int, int]]] = [[] for _ in range(ring.n)]
    for node in ring.in_order():
        t, own = 0, costs.event
        if node == 0:
            free = len(ring.successors[0]) * costs.send + costs.issue + costs.event
        else:
            for index, (_, arrival) in enumerate(sorted((at, at) for at, _ in arrivals[node])):
                before = t + costs.after if index else 0
                t = max(before, arrival) + costs.receive + own
                own = 0
        for number, successor in enumerate(ring.successors[node], 1):
            arrivals[successor].append((t + number * costs.send + cycles, node))
    for at, _ in sorted(arrivals[0]):
        t = max(free, at) + costs.receive
        free = t + costs.after
    return t


def test_latency_is_that_of_a_recursion_over_the_graph() -> None:
    draw = random.Random(14)
    for _ in range(300):
        n, k = draw.randint(3, 150), draw.randint(1, 8)
        ring = diamond_ring(n, k, companion=draw.random() < 0.5, merged=draw.random() < 0.5)
        costs = Costs(*(draw.randint(0, top) for top in (50, 300, 100, 400, 100, 300)))
        cycles = draw.randint(1, 40)
        assert latency(ring, costs, constant(cycles)) == by_recursion(ring, costs, cycles), (n, k, costs)


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_messages_sent(k: int) -> None:
    for n in (2, 5, 13, 14, 40, 72):
        for graph in (diamond_ring(n, k), Tree(n, k)):
            assert Simulation(graph, TILE, constant(3), 2).run().messages == 2 * graph.messages


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_cycles_a_broadcast_of_a_forwarding_unit(k: int) -> None:
    """A cycle to receive and a cycle to send each message, nothing else; 40 nodes, so that each tree has a full inner
    node. Rings are bound by the root, 2 k, with a companion by every scatter and gather node, k + 1, trees by inner
    nodes, 2 (k + 1). In long bursts, over links of any length."""
    unit = Costs(receive=1, send=1)
    graphs = {diamond_ring(40, k): 2 * k, diamond_ring(40, k, companion=True): k + 1, Tree(40, k): 2 * (k + 1)}
    for graph, bound in graphs.items():
        assert bottleneck(graph, unit) == bound
        assert cycles_a_broadcast(graph, unit, constant(2), 128) == pytest.approx(bound, rel=0.03)


def reordering(_sender: int, _receiver: int, broadcast: int) -> int:
    """Every third message takes a long way round."""
    return 4000 if broadcast % 3 == 0 else 5


@pytest.mark.parametrize("queued", [False, True])
def test_sequenced_rings_handle_in_order_where_plain_rings_do_not(queued: bool) -> None:
    for n, k in [(3, 2), (13, 2), (14, 2), (30, 3), (9, 1)]:
        options = {"queued": queued, "in_order": False}
        plain = Simulation(diamond_ring(n, k), TILE, reordering, 12, **options).run()
        sequenced = Simulation(diamond_ring(n, k), TILE, reordering, 12, sequenced=True, **options).run()
        assert {node for node in range(n) if order_at(plain, node) != list(range(12))} == set(range(1, n))
        assert all(order_at(sequenced, node) == list(range(12)) for node in range(n))


def order_at(run: Simulation, node: int) -> list[int]:
    return [broadcast for _, where, broadcast in sorted(run.handled) if where == node]


def test_sequence_numbers_change_nothing_where_nothing_is_overtaken() -> None:
    for n, k in [(13, 2), (14, 2), (30, 3), (9, 1)]:
        plain = Simulation(diamond_ring(n, k), TILE, constant(7), 20).run()
        sequenced = Simulation(diamond_ring(n, k), TILE, constant(7), 20, sequenced=True).run()
        assert plain.completed == sequenced.completed and plain.handled == sequenced.handled


def test_put_aside_by_hand() -> None:
    """0 -> 1 -> 0. Broadcast 0 goes slowly, 1 overtakes it: received in 21, put aside until 0 is handled."""
    costs = Costs(receive=5, event=3, send=10, after=2, order=1)

    def delay(sender: int, _receiver: int, broadcast: int) -> int:
        return 50 if (sender, broadcast) == (0, 0) else 1

    run = Simulation(diamond_ring(2, 1), costs, delay, 2, sequenced=True, in_order=False).run()
    assert [(b, e, t.broadcast, t.again) for b, e, node, t in run.tasks if node == 1] == [
        (24, 32, 1, False),  # the root's second sends end in 23
        (60, 60 + 6 + 3 + 10 + 2, 0, False),
        (81, 81 + 3 + 10, 1, True),
    ]
    assert run.completed == {0: 80 + 6, 1: 95 + 6}
