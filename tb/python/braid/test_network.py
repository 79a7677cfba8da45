"""braid.Network: cycles, packets and arrays as the C++ test has them, seen from Python."""

from pathlib import Path

import braid
import networkx
import numpy as np
import pytest
from braid_tools.program import ROOT

ZERO_LOAD = 3 + 5 * 15 + 4 - 1  # docs/router.md: 15 routers from corner to corner of 8x8, 4 flits


def silent() -> braid.Network:
    return braid.Network(braid.mesh(8, 8, vcs=4, rate=0))


def test_a_packet_is_not_there_at_n_minus_one_and_there_at_n() -> None:
    net = silent()
    net.step()
    net.send(0, 63, flits=4, tag=7)
    net.step(ZERO_LOAD - 1)
    assert net.busy
    assert net.arrivals() == []
    net.step()
    (packet,) = net.arrivals()
    assert (packet.cycle, packet.latency, packet.tag, packet.flits) == (ZERO_LOAD, ZERO_LOAD, 7, 4)
    assert not net.busy
    net.send(0, 1)
    net.step(100)
    assert net.arrivals()[0].tag is None


def test_any_number_of_networks_is_each_as_if_alone() -> None:
    experiment = braid.mesh(6, 6, rate=0.3)
    nets = [braid.Network(experiment) for _ in range(4)]
    for _ in range(50):
        for net in nets:
            net.step(10)
    hashes = {net.packet_hash for net in nets}
    alone = braid.Network(experiment)
    alone.step(500)
    assert hashes == {alone.packet_hash}


def test_arrays_are_views_of_the_networks_state() -> None:
    net = silent()
    occupancy, credits, links = net.occupancy, net.credits, net.link_flits
    assert occupancy.shape == credits.shape == (64, 5, 4)
    assert links.shape == (64, 5)
    assert not occupancy.flags.writeable
    full = credits.sum()
    net.send(0, 2, flits=6)
    net.step(9)
    assert net.occupancy.sum() > 0
    assert occupancy.sum() > 0, "the same memory"
    assert net.credits.sum() < full
    net.step(60)
    assert net.occupancy.sum() == 0
    assert net.credits.sum() == full
    carried = {(int(r), int(p)): int(net.link_flits[r, p]) for r, p in np.argwhere(net.link_flits)}
    assert carried == {(0, 0): 6, (1, 0): 6, (2, 4): 6}, "east, east, to its node"


def links_of(net: braid.Network) -> dict[tuple[int, int], tuple[int, int]]:
    """(router, port) that a link leaves -> (router, port) that it comes to."""
    return {(link["from"], link["port"]): (link["to"], link["to_port"]) for link in net.topology["links"]}


def test_queues_of_packets_fill_and_take_the_credits_along() -> None:
    """Two nodes send through one link: the queue of the first one's packets fills, and its router has no credit."""
    line = braid.mesh(3, 1, router="virtual_cut_through", vcs=1, rate=0, router__queue_packets=3)
    net = braid.Network(line)
    assert net.buffer_unit == "packets"
    assert net.occupancy.shape == (3, 5, 1)
    east, west, local = 0, 1, 4
    full = net.credits.copy()
    assert (full[0, east, 0], full[2, local, 0], full[2, east, 0]) == (3, 65535, 0), "no link leads on from router 2"
    for _ in range(20):
        net.send(0, 2, flits=16)
        net.send(1, 2, flits=16)
    net.step(200)
    assert net.occupancy[1, west, 0] == 3
    assert net.credits[0, east, 0] == 0
    net.step(2000)
    assert not net.busy
    assert not net.occupancy.any()
    assert (net.credits == full).all()


def test_a_pool_is_full_where_all_that_came_in_is_counted() -> None:
    """The free buffers that a port sees are those that no packet of any port holds. Two are kept for escape."""
    crowd = {"pattern": "hot_spot", "traffic__hot_fraction": 0.5, "flits": 16, "rate": 1.0}
    net = braid.Network(braid.hexagonal(3, vcs=4, po2__buffers=5, po2__avoidance="up_down_escape", **crowd))
    assert net.buffer_unit == "packets"
    links, most = links_of(net), 0
    for _ in range(40):
        net.step(23)
        held = net.occupancy.sum(axis=(1, 2))
        most = max(most, held.max())
        for (router, port), (peer, _) in links.items():
            assert net.credits[router, port, 0] == 5 - held[peer]
    assert most == 5 - 2


def test_slack_buffers_stop_their_senders() -> None:
    cluster = {
        "topology": {"kind": "irregular", "switches": 4, "switch_ports": 8, "hosts": 2},
        "router": {"architecture": "myrinet", "vcs": 1},
        "routing": {"algorithm": "source_routed"},
        "traffic": {"pattern": "uniform", "rate_flits_per_node_cycle": 0.9, "flits": 256},
    }
    net = braid.Network(braid.Experiment.from_dict(cluster))
    stop = int(net.experiment["router.stop_flits"])
    most = 0
    for _ in range(300):
        net.step(20)
        most = max(most, int(net.occupancy.max()))
    assert net.buffer_unit == "flits"
    assert stop <= most < 2 * stop
    with pytest.raises(braid.InputError, match=r'"myrinet" has no credits at its ports; .*hybrid, po2, virtual_cut'):
        _ = net.credits


def test_a_network_without_buffers_says_so() -> None:
    net = braid.Network(braid.mesh(2, 2, router="ideal", rate=0))
    with pytest.raises(braid.InputError, match=r'"ideal" has no occupancy .*hybrid, myrinet, po2, virtual_cut_through'):
        _ = net.occupancy


def test_callbacks_come_in_the_packets_cycle_and_may_send() -> None:
    net = silent()
    cycles = []

    def bounce(packet: object) -> None:
        cycles.append((net.now - 1, packet.cycle))
        if len(cycles) < 3:
            net.send(packet.destination, packet.source)

    net.on_arrival(bounce)
    net.step()
    net.send(0, 1)
    net.step(60)
    assert cycles == [(13, 13), (26, 26), (39, 39)]
    net.on_arrival(None)
    net.send(0, 1)
    net.step(60)
    assert len(net.arrivals()) == 1


def test_an_exception_in_a_callback_comes_out_of_step() -> None:
    net = silent()
    net.on_arrival(lambda packet: 1 / 0)
    net.send(0, 1)
    with pytest.raises(ZeroDivisionError):
        net.step(60)


def test_a_checkpoint_is_the_programs(tmp_path: Path) -> None:
    experiment = braid.Experiment(ROOT / "tb" / "experiments" / "mesh_uniform.toml")
    net = braid.Network(experiment)
    net.step(700)
    net.save(tmp_path / "warm")
    other = braid.Network(experiment)
    other.restore(tmp_path / "warm")
    net.step(300)
    other.step(300)
    assert (other.now, other.packet_hash) == (1000, net.packet_hash)
    with pytest.raises(braid.InputError, match=r"router\.vcs"):
        braid.Network(experiment.with_(router__vcs=2)).restore(tmp_path / "warm")
    assert braid.run(experiment.with_(checkpoint__from=str(tmp_path / "warm"))).cycles > 700


def test_arrivals_of_the_experiments_own_traffic() -> None:
    experiment = braid.mesh(4, 4, rate=0.2)
    quiet, all_of = braid.Network(experiment), braid.Network(experiment, all_arrivals=True)
    quiet.step(500)
    all_of.step(500)
    assert quiet.arrivals() == []
    assert len(all_of.arrivals()) == all_of.packets_arrived > 100


def test_a_graph_goes_in_and_comes_out() -> None:
    graph = networkx.petersen_graph()
    networkx.set_edge_attributes(graph, 2, "latency")
    networkx.set_node_attributes(graph, {n: (n, n) for n in graph}, "pos")
    net = braid.Network(braid.from_networkx(graph, rate=0.1))
    net.step(300)
    out = net.to_networkx()
    assert networkx.is_isomorphic(networkx.Graph(out), graph)
    assert {data["latency"] for _, _, data in out.edges(data=True)} == {2}
    assert sum(data["flits"] for _, _, data in out.edges(data=True)) > 100
    assert [data["nodes"] for _, data in out.nodes(data=True)] == [[n] for n in range(10)]
    with pytest.raises(braid.InputError, match="undirected"):
        braid.from_networkx(networkx.DiGraph(graph))


def test_what_is_wrong_is_said() -> None:
    net = silent()
    with pytest.raises(braid.InputError, match="node 64: expected 0 to 63"):
        net.send(64, 0)
    with pytest.raises(braid.InputError, match="a packet of 0 flits"):
        net.send(0, 1, flits=0)
    with pytest.raises(braid.DeadlockError, match="deadlock"):
        braid.Network(ROOT / "tb" / "experiments" / "deadlock.toml").step(2_000_000)
    with pytest.raises(braid.InputError):
        braid.Network(braid.mesh(2, 2).with_(router__implementation="pins"))


def test_what_needs_systemc_is_refused_by_its_name() -> None:
    mesh = braid.mesh(2, 2)
    said = r"a section \[stage\] makes routers of SystemC modules: expected none here, or the program"
    for stage in ("vc_allocator", "switch_allocator"):
        with pytest.raises(braid.InputError, match=said):
            braid.Network(mesh.with_({f"stage.{stage}": "model"}))
    with pytest.raises(braid.InputError, match='unknown section "tlm"'):
        braid.Network(mesh.with_(tlm__map="0: 0 +1K"))
    with pytest.raises(braid.InputError, match=r'unknown router\.implementation "pins"; known: model'):
        braid.Network(mesh.with_(router__implementation="pins"))
    assert braid.Network(mesh.with_(router__implementation="model")).now == 0
