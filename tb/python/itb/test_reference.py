"""The reference against cycles computed by hand from docs/in-transit-buffers.md."""

import pytest
from reference import Failure, Network, Path, Port
from reference_link import Packet, Parameters

L = 8
ROUTING = 24


def line(routers: int, in_transit: tuple[int, ...] = (), **parameters: int) -> Network:
    """Routers in a row. Ports 0 to 3 of router r: nodes 4 r and on; then west, east. In-transit buffers at the
    routers of those numbers, on the way east only."""
    hosts = 4
    ports = []
    for r in range(routers):
        west = Port(L, peer=(r - 1, hosts + 1)) if r > 0 else None
        east = Port(L, peer=(r + 1, hosts)) if r + 1 < routers else None
        ports.append([*(Port(L, node=hosts * r + h) for h in range(hosts)), west, east])
    paths = {}
    for a in range(routers):
        for b in range(routers):
            way = hosts + 1 if b > a else hosts
            stops = tuple(r - a for r in in_transit if a < r < b)
            paths[a, b] = Path((way,) * abs(b - a), stops)
    return Network(ports, paths, Parameters(**parameters))


def at_zero_load(begin: int, flits: int, *legs: int) -> int:
    """The tail's cycle; legs: switches passed on each."""
    return begin + sum((s + 1) * L + ROUTING * s for s in legs) + 76 * (len(legs) - 1) + flits - 1


@pytest.mark.parametrize("flits", [1, 5, 32, 512])
@pytest.mark.parametrize("switches", [1, 2, 3])
def test_zero_load(switches: int, flits: int) -> None:
    network = line(3)
    [packet] = network.run([Packet(10, 0, 4 * switches - 1, flits)], 2000)
    assert (packet.injected, packet.delivered) == (11, 11 + (switches + 1) * L + ROUTING * switches + flits - 1)
    assert network.injection[0].flits == flits + switches, "a header byte for every switch"


def test_two_packets_for_one_output_take_turns_from_port_0() -> None:
    """Headers at the front in 9. Ten flits of the first leave in 33 to 42, the next grant is in 43: 34 cycles each."""
    packets = [Packet(0, source, 3, 10, k) for source in (0, 1, 2) for k in range(2)]
    line(1).run(packets, 400)
    first_tail = 9 + ROUTING + 9 + L
    order = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    delivered = {(p.source, p.sequence): p.delivered for p in packets}
    assert delivered == {who: first_tail + 34 * turn for turn, who in enumerate(order)}


def test_round_robin_goes_on_behind_the_last_one() -> None:
    """Port 1 has the output to itself; ports 0 and 2 ask while it is busy: 2 comes before 0."""
    packets = [Packet(0, 1, 3, 10), Packet(5, 0, 3, 10), Packet(5, 2, 3, 10)]
    line(1).run(packets, 400)
    assert [p.delivered for p in packets] == [50, 50 + 2 * 34, 50 + 34]


def blocked(**parameters: int) -> tuple[Network, list[Packet]]:
    """Node 0 sends 600 flits to node 3, node 1's 400 wait behind them."""
    network = line(1, **parameters)
    return network, network.run([Packet(0, 0, 3, 600), Packet(0, 1, 3, 400)], 1500)


def test_stop_and_go_at_their_cycles() -> None:
    """Header out of the buffer in 9, t - 9 flits in it at the start of t: 56 in 65, the sender stops in 73, 71 meet.
    The first worm's tail leaves in 33 + 599, the grant is in 633; of 71 flits that leave from 657 on 40 are left in
    688, so the sender goes on in 696."""
    network, (_, late) = blocked()
    assert network.routers[0].inputs[1].peak == 56 + 2 * L - 1
    assert network.injection[1].stopped_cycles == 696 - 73
    assert late.delivered == 657 + 399 + L, "no gap"
    assert network.injection[0].stopped_cycles == 0


def test_just_before_the_stop_nothing_is_stopped() -> None:
    """55 flits in the buffer do not stop, 56 do."""
    for flits, stopped in ((55, 0), (56, 1)):
        network = line(1)
        network.run([Packet(0, 0, 3, 600), Packet(0, 1, 3, flits)], 1500)
        assert (network.injection[1].stopped_cycles > 0) == stopped


@pytest.mark.parametrize(("go", "gap"), [(2 * L, 0), (2 * L - 1, 1), (2 * L - 6, 6), (0, 2 * L)])
def test_go_below_two_links_leaves_a_gap(go: int, gap: int) -> None:
    _, (_, late) = blocked(go=go)
    assert late.delivered == 657 + 399 + L + gap


def test_stop_reaches_back_over_two_switches() -> None:
    """Nodes 0 and 5 to node 7, 600 flits each, 5 first: the worm from router 0 stands in both buffers."""
    network = line(2)
    far, near = Packet(20, 0, 7, 600), Packet(0, 5, 7, 600)
    network.run([far, near], 3000)
    assert network.routers[1].inputs[4].peak == network.routers[0].inputs[0].peak == 71
    assert [near.delivered, far.delivered] == [33 + 599 + L, 33 + 600 + ROUTING + 599 + L]


@pytest.mark.parametrize("flits", [1, 32, 77, 512])
def test_one_in_transit_buffer_at_zero_load(flits: int) -> None:
    network = line(3, in_transit=(1,))
    [packet] = network.run([Packet(0, 0, 8, flits)], 2000)
    assert packet.in_transit == 1
    assert (packet.injected, packet.delivered) == (1, at_zero_load(1, flits, 2, 2))
    assert network.injection[0].flits == flits + 4 + 1, "2 + 2 switches and a mark"
    assert network.leaving[0, 5].flits == flits + 4
    assert network.leaving[1, 0].flits == flits + 3
    assert network.injection[4].flits == flits + 2, "node (0 + 8) modulo 4 of router 1"


def test_two_in_transit_buffers_at_zero_load() -> None:
    network = line(4, in_transit=(1, 2))
    [packet] = network.run([Packet(0, 1, 14, 100)], 2000)
    assert (packet.in_transit, packet.delivered) == (2, at_zero_load(1, 100, 2, 2, 2))
    assert network.injection[4 + 3].flits == 100 + 4 + 1
    assert network.injection[8 + 3].flits == 100 + 2


BEGIN = 201
READY = BEGIN + 3 * L + 2 * ROUTING + 76  # of a packet from router 0 that begins in BEGIN, at router 1
SECOND_LEG = 3 * L + 2 * ROUTING
BEHIND = ROUTING - 1  # a header that follows a tail on its link waits in the slack buffer for what has gathered there


@pytest.mark.parametrize(("own_tail", "begins"), [(READY - 1, READY), (READY, READY + 1), (READY + 150, READY + 151)])
def test_in_transit_waits_for_the_end_of_what_has_begun(own_tail: int, begins: int) -> None:
    """Node 4's own packet to node 5: a header and 200 flits, the last in `own_tail`. Another of its own waits too."""
    network = line(3, in_transit=(1,))
    packet, own, behind = Packet(BEGIN - 1, 0, 8, 60), Packet(own_tail - 201, 4, 5, 200), Packet(own_tail, 4, 6, 50, 1)
    network.run([packet, own, behind], 2000)
    assert own.injected == own_tail - 200
    assert packet.delivered == begins + BEHIND + SECOND_LEG + 59
    assert behind.injected == begins + 62, "behind the packet in transit: two header bytes and 60 flits"


def test_own_traffic_goes_first_until_the_packet_in_transit_is_ready() -> None:
    for created, first in ((READY - 2, True), (READY - 1, False)):
        network = line(3, in_transit=(1,))
        packet, own = Packet(BEGIN - 1, 0, 8, 60), Packet(created, 4, 5, 10)
        network.run([packet, own], 2000)
        assert own.injected == (READY - 1 if first else READY + 62)
        assert packet.delivered == (READY + 10 + BEHIND if first else READY) + SECOND_LEG + 59


def test_packets_in_transit_keep_their_order() -> None:
    """Both rest at node 4 and are ready while it still sends 400 flits of its own."""
    network = line(3, in_transit=(1,))
    first, second = Packet(BEGIN - 1, 0, 8, 40), Packet(BEGIN, 0, 8, 40, 1)
    network.run([first, second, Packet(READY - 100, 4, 5, 400)], 2000)
    begins = READY - 99 + 401
    assert first.delivered == begins + BEHIND + SECOND_LEG + 39
    assert second.delivered == first.delivered + 41 + ROUTING, (
        "a header byte and 40 flits out of router 1, then a grant"
    )


def test_a_gap_on_the_way_in_is_a_gap_on_the_way_out() -> None:
    """The worm waits at router 0; go = 0 leaves a gap of 16 cycles behind the 71 flits of the slack buffer there.

    Routing in one cycle, so that no slack buffer fills the gap. The other's 601 flits leave router 0 in 10 to 610; the
    worm's grant is in 611, its flit k (0: header for router 1, 1: mark) leaves in 612 + k, from k = 71 on 16 later. It
    is at router 1 in 620 + k, at its node 4 in 628 + k: the mark in 629, ready in 632, so flit 70 leaves in 700. Flit
    71 is there in 715: two of the 16 cycles are made good.
    """
    network = line(3, in_transit=(1,), routing=1, go=0, detect=2, program=1)
    blocker, worm = Packet(0, 0, 4, 600), Packet(0, 1, 11, 400)
    network.run([blocker, worm], 3000)
    assert worm.in_transit == 1
    assert worm.delivered == 632 + 3 * L + 2 * 1 + 399 + 14


@pytest.mark.parametrize(("program", "late"), [(26, 0), (27, 16), (32, 16)])
def test_bytes_behind_a_gap_put_programming_off(program: int, late: int) -> None:
    """The worm of the test before, which has a gap of 16 cycles before flit 71: the mark, flit 1, is there in 629, flit
    k in 628 + k, from 71 on 16 later. 44 bytes, the mark counted, are there in 672, so the packet is known in 673; 70
    are there in 698, 71 in 715: with 26 more bytes it is ready in 699 as with times, with 27 in 716 in place of 700."""
    ready = 629 + 44 + program
    for counted in (False, True):
        network = line(3, in_transit=(1,), routing=1, go=0, program=program, bytes_count=counted)
        worm = Packet(0, 1, 11, 400)
        network.run([Packet(0, 0, 4, 600), worm], 3000)
        assert worm.delivered == ready + (late if counted else 0) + 3 * L + 2 * 1 + 399


@pytest.mark.parametrize("flits", [1, 32, 77])
def test_a_short_packet_is_known_by_its_time(flits: int) -> None:
    """It has fewer bytes than detection waits for: when all are here their time is what is left."""
    network = line(3, in_transit=(1,), bytes_count=True)
    [packet] = network.run([Packet(0, 0, 8, flits)], 2000)
    assert packet.delivered == at_zero_load(1, flits, 2, 2)


def test_a_pool_that_overflows_names_the_host() -> None:
    network = line(3, in_transit=(1,), pool=99)
    with pytest.raises(RuntimeError, match="pool of host 4"):
        network.run([Packet(0, 0, 8, 100)], 2000)


def down(cycle: int, packets: list[Packet], recompute: int = 5000, in_transit: tuple[int, ...] = ()) -> Network:
    """Three routers in a row, of which the link between the first two goes down. Node 0's packet that is made in 10
    leaves router 0 from 43 on, a header byte for each router to come and its payload."""
    network = line(3, in_transit)
    network.failure = Failure((0, 5), cycle, recompute, network.paths)
    network.run(packets, 1500)
    return network


FIRST, CAME = 43, 43 + L  # first flit on the link, at its far end


@pytest.mark.parametrize(
    ("cycle", "lost"),
    [
        (CAME + 100, None),  # the tail has just come
        (CAME + 99, CAME + ROUTING + 99 + L),  # the end sign comes for it
        (CAME + 10, FIRST + 100),  # the tail goes into the void later than the end sign is at the node
        (CAME - 1, FIRST + 100),  # nothing has come
        (5, FIRST + 100),
    ],
)
def test_a_cut_packet_is_lost_when_its_last_piece_is_gone(cycle: int, lost: int | None) -> None:
    packet = Packet(10, 0, 4, 100)
    down(cycle, [packet])
    assert packet.lost == lost
    assert (packet.delivered is None) == (lost is not None)


def test_an_end_sign_in_the_place_of_a_header_vanishes() -> None:
    """The byte for router 1 has come, that for router 2 has not; the packet behind is swallowed whole."""
    packet, behind = Packet(10, 0, 8, 10), Packet(11, 0, 4, 10, 1)
    down(CAME, [packet, behind])
    assert packet.lost == CAME + ROUTING + L
    assert behind.lost == FIRST + 2 + 10 - 1 + 1 + ROUTING + 10


def test_hosts_hold_back_until_the_last_is_gone() -> None:
    """Told in 60, while 100 flits are under way to a node of the same switch."""
    last, held, other = Packet(50, 8, 9, 100), Packet(58, 4, 5, 10), Packet(59, 5, 6, 10)
    down(10, [last, held, other], recompute=50)
    assert held.injected == 59
    assert last.delivered == 51 + 2 * L + ROUTING + 99
    assert other.injected == last.delivered + 1
