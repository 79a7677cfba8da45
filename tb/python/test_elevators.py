"""Meshes of three dimensions with elevators against a graph that is built here, and its shortest ways (networkx)."""

import json
from itertools import product

import braid as package
import networkx
import pytest
from braid.graphs import graph_of
from braid.places import places
from braid_tools.program import ROOT, braid

Place = tuple[int, int, int]
STACKS = [
    {"sizes": (3, 4, 3), "elevators": [(0, 3), (2, 1)], "vertical": 4},
    {"sizes": (4, 3, 2), "elevators": [(1, 1)], "vertical": 1},
    {"sizes": (3, 3, 3), "elevators": [(0, 0), (2, 2), (1, 0), (0, 2)], "vertical": 7},
    {"sizes": (3, 2, 3), "elevators": [], "vertical": 2},
]
NAMES = ["two", "one", "four", "everywhere"]


def joined(stack: dict) -> list[tuple[int, int]]:
    return stack["elevators"] or list(product(range(stack["sizes"][0]), range(stack["sizes"][1])))


def links_of(stack: dict) -> networkx.Graph:
    """Routers (x, y, z); an edge's weight: its cycles and four more, of the router behind it."""
    width, height, planes = stack["sizes"]
    graph = networkx.Graph()
    for z in range(planes):
        plane = networkx.grid_2d_graph(width, height)
        graph.add_nodes_from((*a, z) for a in plane.nodes)
        graph.add_edges_from([((*a, z), (*b, z)) for a, b in plane.edges], weight=5)
        for x, y in joined(stack) if z > 0 else ():
            graph.add_edge((x, y, z - 1), (x, y, z), weight=4 + stack["vertical"])
    return graph


def by_the_nearest(stack: dict, a: Place, b: Place) -> int:
    """The weight of the way by the elevator that is nearest to the source, of several that with the lowest x + y *
    width."""

    def apart(p: tuple[int, ...], q: tuple[int, ...]) -> int:
        return abs(p[0] - q[0]) + abs(p[1] - q[1])

    if a[2] == b[2]:
        return 5 * apart(a, b)
    elevator = min(joined(stack), key=lambda e: (apart(a, e), e[0] + e[1] * stack["sizes"][0]))
    return 5 * (apart(a, elevator) + apart(elevator, b)) + (4 + stack["vertical"]) * abs(a[2] - b[2])


def experiment_of(stack: dict, **settings: object) -> package.Experiment:
    latencies = [1, 1, stack["vertical"]]
    every = {"routing": "elevator_first", "rate": 0, "topology__link_latencies": latencies}
    return package.cube(*stack["sizes"], elevators=stack["elevators"], **every, **settings)


@pytest.mark.parametrize("rule", ["nearest", "on_the_way"])
@pytest.mark.parametrize("stack", STACKS, ids=NAMES)
def test_zero_load_latencies_are_those_of_the_ways(stack: dict, rule: str) -> None:
    """All pairs, one packet of two flits at a time: 3 cycles at the interfaces, 5 at the first router, 1 for the second
    flit."""
    nodes = [(x, y, z) for z, y, x in product(*(range(size) for size in reversed(stack["sizes"])))]
    shortest = dict(networkx.all_pairs_dijkstra_path_length(links_of(stack)))
    network = package.Network(experiment_of(stack, vcs=2, routing__elevator=rule))
    wrong = []
    for source, destination in ((s, d) for s in range(len(nodes)) for d in range(len(nodes)) if s != d):
        a, b = nodes[source], nodes[destination]
        network.send(source, destination, flits=2)
        expected = 3 + 5 + (by_the_nearest(stack, a, b) if rule == "nearest" else shortest[a][b]) + 1
        network.step(expected - 1)
        early = network.arrivals()
        network.step()
        if early or len(network.arrivals()) != 1:
            wrong.append((source, destination, expected))
            network.step(500)
            network.arrivals()
    assert wrong == []


@pytest.mark.parametrize("stack", STACKS, ids=NAMES)
def test_the_network_is_that_graph(stack: dict) -> None:
    """Links with their latency, and planes that are drawn apart."""
    topology = package.Network(experiment_of(stack)).topology

    def coordinates(router: int) -> Place:
        x, y, z = map(int, topology["routers"][router].split(","))
        return x, y, z

    found = {(coordinates(one["from"]), coordinates(one["to"])): one["latency_cycles"] for one in topology["links"]}
    graph = links_of(stack).to_directed()
    assert found == {(a, b): data["weight"] - 4 for a, b, data in graph.edges(data=True)}
    assert len(set(places(topology, "cube").values())) == graph.number_of_nodes()
    assert graph_of(topology).number_of_edges() == graph.number_of_edges()


def test_paths_lists_what_the_elevators_carry() -> None:
    """Uniform traffic on 4x4x2 with one elevator: of 16 sources a plane, half of what each sends goes to the other."""
    keys = ["kind=cube", "sizes=[4, 4, 2]", "elevators=[1, 2]"]
    words = [word for key in keys for word in ("--set", f"topology.{key}")]
    routing = ["--set", "routing.algorithm=elevator_first"]
    uniform = ROOT / "tb/experiments/mesh_uniform.toml"
    found = json.loads(braid("paths", uniform, *words, *routing, "--quiet", "--json", "-"))
    assert found["topology"] == "mesh 4x4x2 with 1 elevator"
    loads = {(one["router"], one["port"]): one["load"] for one in found["packet_loads"]}
    assert {key for key in loads if key[1].startswith("z_")} == {("1,2,0", "z_up"), ("1,2,1", "z_down")}
    assert loads["1,2,0", "z_up"] == loads["1,2,1", "z_down"] == pytest.approx(8)


def test_schedules_engines_and_threads_give_one_hash() -> None:
    """Past saturation, where packets wait for elevators."""
    crowded = experiment_of(STACKS[0], vcs=3).with_(
        traffic__rate_flits_per_node_cycle=0.4,
        simulation__min_warmup_cycles=500,
        simulation__max_warmup_cycles=500,
        simulation__batch_cycles=500,
        simulation__measure_cycles=1500,
        simulation__max_drain_cycles=200,
    )
    ways = [
        {"simulation__engine": "lists"},
        {"simulation__engine": "planes"},
        {"simulation__threads": 2, "simulation__engine": "lists"},
        {"simulation__schedule": "process_per_stage"},
    ]
    runs = package.run_many([crowded.with_(**way) for way in ways])
    assert len({run.packet_hash for run in runs}) == 1
    assert runs[0].saturated
