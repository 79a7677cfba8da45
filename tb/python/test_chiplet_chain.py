"""Chains of chiplets against shortest paths of networkx on a graph that is built here, not taken from Braid."""

import braid as package
import networkx
import pytest
from braid.places import places
from braid_tools.program import ROOT, braid

CHAINS = [
    {"chiplets": 2, "width": 3, "height": 3, "rows": [], "joint": 7},
    {"chiplets": 3, "width": 2, "height": 4, "rows": [0, 2], "joint": 5},
    {"chiplets": 4, "width": 2, "height": 3, "rows": [1], "joint": 12},
]
NAMES = ["all_rows", "two_rows", "one_row"]


def graph_of(chiplets: int, width: int, height: int, rows: list[int], joint: int) -> networkx.Graph:
    """Routers (chiplet, x in it, y); an edge's weight: the five cycles of the router behind it and what its link takes
    beyond one."""
    graph = networkx.Graph()
    for chiplet in range(chiplets):
        mesh = networkx.grid_2d_graph(width, height)
        graph.add_nodes_from((chiplet, *a) for a in mesh.nodes)
        graph.add_edges_from([((chiplet, *a), (chiplet, *b)) for a, b in mesh.edges], weight=5)
        for y in (rows or range(height)) if chiplet > 0 else ():
            graph.add_edge((chiplet - 1, width - 1, y), (chiplet, 0, y), weight=5 + joint - 1)
    return graph


def experiment_of(chain: dict, **settings: object) -> package.Experiment:
    shape = [chain[key] for key in ("chiplets", "width", "height")]
    return package.chiplet_chain(*shape, joined_rows=chain["rows"], joint_latency=chain["joint"], **settings)


@pytest.mark.parametrize("chain", CHAINS, ids=NAMES)
def test_zero_load_latencies_are_those_of_shortest_paths(chain: dict) -> None:
    """All pairs, one packet of two flits at a time: 3 cycles at the interfaces, 5 at the first router, 1 for the second
    flit."""
    length = chain["chiplets"] * chain["width"]
    nodes = [(x // chain["width"], x % chain["width"], y) for y in range(chain["height"]) for x in range(length)]
    away = dict(networkx.all_pairs_dijkstra_path_length(graph_of(**chain)))
    network = package.Network(experiment_of(chain, vcs=2, rate=0))
    wrong = []
    for source, destination in ((s, d) for s in range(len(nodes)) for d in range(len(nodes)) if s != d):
        network.send(source, destination, flits=2)
        expected = 3 + 5 + away[nodes[source]][nodes[destination]] + 1
        network.step(expected - 1)
        early = network.arrivals()
        network.step()
        if early or len(network.arrivals()) != 1:
            wrong.append((source, destination, expected))
            network.step(500)
            network.arrivals()
    assert wrong == []


@pytest.mark.parametrize("chain", CHAINS, ids=NAMES)
def test_the_network_is_that_graph(chain: dict) -> None:
    """Links with their latency, and places where they are drawn."""
    topology = package.Network(experiment_of(chain, rate=0)).topology

    def coordinates(router: int) -> tuple[int, int, int]:
        x, y = map(int, topology["routers"][router].split(","))
        return x // chain["width"], x % chain["width"], y

    found = {(coordinates(one["from"]), coordinates(one["to"])): one["latency_cycles"] for one in topology["links"]}
    graph = graph_of(**chain).to_directed()
    assert found == {(a, b): data["weight"] - 4 for a, b, data in graph.edges(data=True)}
    assert len(set(places(topology, "chiplet_chain").values())) == graph.number_of_nodes()


def test_the_map_shows_joints_and_where_none_are() -> None:
    """`braid paths` on two chiplets of 2x2, joined in row 1 alone."""
    chain = {"kind": "chiplet_chain", "chiplets": 2, "width": 2, "height": 2, "joined_rows": [1]}
    words = [w for key, value in chain.items() for w in ("--set", f"topology.{key}={value}")]
    routing = ["--set", "routing.algorithm=chiplet_order"]
    lines = braid("paths", ROOT / "tb/experiments/mesh_uniform.toml", *words, *routing).splitlines()
    north = next(line for line in lines if line.startswith("(0,1)"))
    south = next(line for line in lines if line.startswith("(0,0)"))
    assert (north.count("="), south.count("=")) == (north.count("="), 0) and "==" in north
    assert north.count(">") == 3 and south.count(">") == 2
    assert [word for word in south.replace("-", " ").split() if word.startswith("(")] == [f"({x},0)" for x in range(4)]
    assert [north.index(f"({x},1)") for x in range(4)] == [south.index(f"({x},0)") for x in range(4)]
