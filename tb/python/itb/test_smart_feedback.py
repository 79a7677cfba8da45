"""Smart-routing with its feedback on tiny networks, held against all choices of paths that close no cycle.

The reference knows nothing of removals: a path of each pair among all simple ones, an order of the channels in which
every path goes upwards (there is one exactly if no cycle closes), and the fewest paths that the fullest channel can
have so, by z3.
"""

import json
import random
from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path

import networkx
import pytest
import z3
from braid_tools.program import ROOT, braid

EXPERIMENT = ROOT / "tb" / "experiments" / "irregular.toml"
Routers = tuple[int, ...]


def channels_of(path: Routers) -> list[tuple[int, int]]:
    return list(pairwise(path))


def closes_a_cycle(paths: list[Routers]) -> bool:
    waits = {wait for path in paths for wait in pairwise(channels_of(path))}
    return not networkx.is_directed_acyclic_graph(networkx.DiGraph(waits))


def most_paths(paths: list[Routers]) -> int:
    """On a channel."""
    return max(Counter(channel for path in paths for channel in channels_of(path)).values())


def fewest_on_the_fullest(graph: networkx.Graph, start: int) -> int:
    """Of all choices of one simple path a pair that close no cycle, from a number on that is possible downwards."""
    solver = z3.Solver()
    place = {channel: z3.Int(str(channel)) for edge in graph.edges for channel in (edge, edge[::-1])}
    crossing: dict[tuple[int, int], list[z3.BoolRef]] = {channel: [] for channel in place}
    for source, sink in permutations(graph.nodes, 2):
        ways = [tuple(way) for way in networkx.all_simple_paths(graph, source, sink)]
        taken = [z3.Bool(str(way)) for way in ways]
        solver.add(z3.Or(taken))
        for way, is_taken in zip(ways, taken, strict=True):
            for channel in channels_of(way):
                crossing[channel].append(is_taken)
            for before, behind in pairwise(channels_of(way)):
                solver.add(z3.Implies(is_taken, place[before] < place[behind]))
    best = start
    while best > 1 and solver.check(*(z3.AtMost(*all_of, best - 1) for all_of in crossing.values())) == z3.sat:
        best -= 1
    return best


def paths_of(graph: networkx.Graph, folder: Path, paths: str, **keys: int) -> list[Routers]:
    networkx.write_graphml(graph, folder / "graph.graphml")
    experiment = folder / "experiment.toml"
    settings = "".join(f"{key} = {value}\n" for key, value in keys.items())
    experiment.write_text(
        '[experiment]\nname = "tiny"\n[topology]\nkind = "graph"\nfile = "graph.graphml"\nlink_latency_cycles = 8\n'
        '[router]\narchitecture = "myrinet"\nvcs = 1\n[routing]\nalgorithm = "source_routed"\nin_transit = "none"\n'
        f'paths = "{paths}"\n{settings}[traffic]\npattern = "uniform"\nrate_flits_per_node_cycle = 0.01\n'
    )
    answer = json.loads(braid("paths", experiment, "--check", "--json", "-"))
    return [tuple(int(router) for router in path["routers"]) for path in answer["paths"]]


def tiny(case: int) -> networkx.Graph:
    """Five or six routers, all joined, with one to three links more than a tree has."""
    draws = random.Random(case)
    nodes = 5 + case % 2
    tree = networkx.random_labeled_tree(nodes, seed=case)
    missing = list(networkx.complement(tree).edges)
    tree.add_edges_from(draws.sample(missing, 1 + case % 3))
    return tree


CASES = [(f"ring of {n}", networkx.cycle_graph(n)) for n in (3, 4, 5, 6)]
CASES += [
    ("four, all joined", networkx.complete_graph(4)),
    ("2x3", networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(2, 3))),
]
CASES += [(f"drawn {case}", tiny(case)) for case in range(12)]


@pytest.mark.parametrize(("name", "graph"), CASES, ids=[name for name, _ in CASES])
def test_no_choice_of_paths_without_cycles_is_evener_by_more_than_one(
    name: str, graph: networkx.Graph, tmp_path: Path
) -> None:
    found = paths_of(graph, tmp_path, "smart_feedback", feedback_tries=100)
    plain = paths_of(graph, tmp_path, "smart")
    for paths in (found, plain):
        assert {(path[0], path[-1]) for path in paths} == set(permutations(graph.nodes, 2))
        assert not closes_a_cycle(paths)
    best = fewest_on_the_fullest(graph, most_paths(found))
    assert best <= most_paths(found) <= min(best + 1, most_paths(plain))


def test_the_reference_by_hand() -> None:
    """A ring of five loses a dependency each way: the pair round that corner goes the long way, over three links in
    place of two. 10 pairs of a link, 8 of two, 2 of three are 32 uses of 10 channels, so some channel has four."""
    assert fewest_on_the_fullest(networkx.cycle_graph(5), 20) == 4
    assert fewest_on_the_fullest(networkx.path_graph(3), 6) == 2
    assert closes_a_cycle([(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    assert not closes_a_cycle([(0, 1, 2), (1, 2, 0)])
