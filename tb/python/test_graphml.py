"""Networks go from networkx to braid and come back as they were (docs/graphml.md)."""

import json
import re
import subprocess
from pathlib import Path

import networkx
import pytest
from braid_tools.program import BRAID, ROOT, braid

EXPERIMENT = """
[topology]
kind = "graph"
file = "network.graphml"
[routing]
algorithm = "table"
[traffic]
pattern = "uniform"
"""


def written(graph: networkx.Graph, folder: Path, **how: bool) -> Path:
    """An experiment on the graph."""
    networkx.write_graphml_xml(graph, folder / "network.graphml", **how)
    experiment = folder / "experiment.toml"
    experiment.write_text(EXPERIMENT)
    return experiment


def links(experiment: Path) -> set[tuple[str, str, str]]:
    """(router, port, far router) of every direction."""
    all_loads = json.loads(braid("paths", experiment, "--json", "-"))["packet_loads"]
    return {(load["router"], load["port"], load["to"]) for load in all_loads}


def expected(graph: networkx.Graph) -> set[tuple[str, str, str]]:
    """The same, by the documented rules."""
    name = {node: data.get("name", str(node)) for node, data in graph.nodes(data=True)}
    there = [(a, b, data) for a, b, data in graph.edges(data=True)]
    back = [(b, a, data) for a, b, data in there]
    return {(name[a], data.get("name", f"to_{name[b]}"), name[b]) for a, b, data in there + back}


def attributed() -> networkx.Graph:
    """Every attribute, where it is given and where it is not; integers, fractions and numbers as text."""
    graph = networkx.Graph(networkx.petersen_graph(), name="petersen")
    graph.nodes[0].update(name="root & <leaf> ä", nodes=2)
    graph.nodes[1].update(nodes=0)
    graph.edges[0, 1].update(name="trunk", latency=64)
    graph.edges[1, 2].update(latency=2.0)
    return graph


def parallel() -> networkx.MultiGraph:
    graph = networkx.MultiGraph()
    graph.add_edge("a", "b", name="first")
    graph.add_edge("a", "b", name="second", latency="3")
    return graph


GRAPHS = {
    "petersen": networkx.petersen_graph(),
    "attributed": attributed(),
    "grid": networkx.grid_2d_graph(3, 4),
    "parallel": parallel(),
    "undirected": networkx.DiGraph([(0, 1), (1, 0), (1, 2)]).to_undirected(),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("numeric", [False, True], ids=["types", "inferred_types"])
def test_network_is_as_in_networkx(name: str, numeric: bool, tmp_path: Path) -> None:
    graph = GRAPHS[name]
    assert links(written(graph, tmp_path, infer_numeric_types=numeric)) == expected(graph)


def test_file_that_braid_reads_is_one_for_networkx() -> None:
    graph = networkx.read_graphml(ROOT / "tb" / "experiments" / "ring.graphml")
    assert links(ROOT / "tb" / "experiments" / "custom_graph.toml") == expected(graph)


def refusal(experiment: Path) -> str:
    """The one line, without the file's folder."""
    done = subprocess.run(
        [str(BRAID), "check", str(experiment)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return re.sub(r"^braid: .*/", "", done.stderr.strip())


def test_what_networkx_writes_beside_is_refused(tmp_path: Path) -> None:
    directed = networkx.DiGraph([(0, 1), (1, 0)])
    assert re.match(
        r'network.graphml:\d+: edgedefault = "directed"',
        refusal(written(directed, tmp_path)),
    )
    weighted = networkx.Graph([(0, 1, {"weight": 2.5})])
    assert re.match(
        r'network.graphml:\d+: unknown attribute for edge "weight"; known: latency, name',
        refusal(written(weighted, tmp_path)),
    )
    slow = networkx.Graph([(0, 1, {"latency": 2.5})])
    assert re.match(
        r'network.graphml:\d+: edge "0" - "1": latency = 2.5: expected',
        refusal(written(slow, tmp_path)),
    )
    twice = networkx.MultiGraph([("a", "b"), ("a", "b")])
    assert re.match(
        r'network.graphml:\d+: router a has a link "to_b" already',
        refusal(written(twice, tmp_path)),
    )
