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
        r'network.graphml:\d+: unknown attribute for edge "weight"; known: flits_per_cycle, latency, name',
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


def test_yed_files_are_read_with_their_places(tmp_path: Path) -> None:
    """What yEd 3.23 writes, shortened: keys of its own, geometry in the nodes' graphics."""
    (tmp_path / "network.graphml").write_text(
        """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key attr.name="url" attr.type="string" for="node" id="d4"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="graphml" id="d7" yfiles.type="resources"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="undirected" id="G">
    <data key="d0" xml:space="preserve"/>
    <node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="10.0" y="20.0"/>
      <y:NodeLabel>left</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n1"><data key="d4"/><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="210.0"
      y="20.0"/></y:ShapeNode></data></node>
    <edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge/></data></edge>
  </graph>
  <data key="d7"><y:Resources/></data>
</graphml>
"""
    )
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(EXPERIMENT)
    assert links(experiment) == {("n0", "to_n1", "n1"), ("n1", "to_n0", "n0")}
    svg = tmp_path / "loads.svg"
    braid("paths", experiment, "--quiet", "--draw", svg)
    places = re.findall(r'router n\d[^<]*</title><rect x="([\d.]+)" y="([\d.]+)"', svg.read_text())
    assert len(places) == 2
    assert places[0][1] == places[1][1]
    assert float(places[0][0]) < float(places[1][0])


@pytest.mark.parametrize(
    ("attributes", "says"),
    [({"x": 1.0}, "has x and no y: expected both or none"), ({"x": "far", "y": 0.0}, "x = far: expected number")],
)
def test_places_that_are_none_are_refused(attributes: dict, says: str, tmp_path: Path) -> None:
    graph = networkx.Graph([("a", "b")])
    graph.nodes["a"].update(attributes)
    done = subprocess.run([BRAID, "check", written(graph, tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr
