"""Links of several flits a cycle on any topology: what they let through, who shares them, who is refused."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import braid
import pytest
from braid.graphs import graph_of, graphml
from braid_tools.papers.sat import figure1
from braid_tools.papers.sat.points import EXPERIMENT, Policy
from braid_tools.program import ROOT, BraidError, Run, run
from braid_tools.program import braid as program

MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
ROW = {"topology.kind": "mesh", "topology.width": 8, "topology.height": 1, "routing.algorithm": "x_first"}
COMPLEMENT = {
    "interface.fairness": "none",
    "traffic.pattern": "bit_complement",
    "traffic.process": "saturated",
    "simulation.min_warmup_cycles": 5_000,
    "simulation.max_warmup_cycles": 5_000,
    "simulation.measure_cycles": 16_000,
}


def through(name: str, settings: dict[str, Any]) -> int:
    """Packets of 16 flits that were delivered in 16,000 cycles."""
    result = run(Run(name, EXPERIMENT, settings | COMPLEMENT))
    return round(sum(result["classes"][0]["delivered_flits_per_cycle_by_node"]) * 1000)


@pytest.mark.parametrize(("speed", "flits"), [(1, 2), (2, 4), (4, 8), (8, 8)])
def test_twice_the_links_are_twice_the_throughput(speed: int, flits: int) -> None:
    """Closed form: on a row of eight all of one half send to the other over the link between them, which takes `speed`
    flits a cycle each way; four nodes have a flit a cycle each at most."""
    settings = ROW | {"topology.link_flits_per_cycle": speed}
    assert through(f"row of {speed}", settings) == pytest.approx(1000 * flits, abs=8)


@pytest.mark.parametrize(("speeds", "flits"), [([1, 1], 4), ([4, 1], 4), ([1, 2], 8), ([2, 1], 4), ([2, 2], 8)])
def test_a_dimension_lets_through_what_its_links_take(speeds: list[int], flits: int) -> None:
    """Closed form: on a cube of 2 x 4, two columns of four, all go to the other column's other end. x first: what goes
    over the two links across a column's middle is two flows of each, so 2 columns x 2 directions x the speed of y."""
    settings = {
        "topology.kind": "cube",
        "topology.sizes": [2, 4],
        "topology.link_speeds": speeds,
        "routing.algorithm": "dimension_order",
    }
    assert through(f"cube of {speeds}", settings) == pytest.approx(1000 * flits, abs=8)


@pytest.mark.parametrize("speed", [2, 4])
def test_figure_1a_has_the_same_shares_over_faster_links(speed: int) -> None:
    """Node 7 takes a flit a cycle, so that all wait as before, and each router still gives half to what comes in."""
    job = figure1.point("8-ary 1-cube", Policy())
    window = {"simulation.measure_cycles": 64 * 16 * 125, "topology.link_flits_per_cycle": speed}
    assert figure1.shares(run(job.with_(window))) == pytest.approx(figure1.SHARES["8-ary 1-cube"], abs=1e-9)


@pytest.mark.parametrize("architecture", ["hybrid", "po2", "myrinet"])
def test_routers_of_a_flit_a_cycle_are_refused_faster_links(architecture: str) -> None:
    settings = {
        "topology.link_flits_per_cycle": 2,
        "router.architecture": architecture,
        "traffic.rate_flits_per_node_cycle": 0.1,
    }
    if architecture == "myrinet":
        settings |= {"routing.algorithm": "source_routed", "router.vcs": 1}
    told = (
        rf'router.architecture = "{architecture}" moves a flit a cycle over a link, and mesh 8x8 has links of more; '
        'expected "virtual_cut_through", or links of one'
    )
    with pytest.raises(BraidError, match=told):
        run(Run("refused", MESH, settings))


def test_where_no_packet_goes_over_a_link_its_speed_does_not_matter() -> None:
    window = {"simulation.max_warmup_cycles": 1000, "simulation.measure_cycles": 2000, "router.architecture": "ideal"}
    one, other = (run(Run("ideal", MESH, window | {"topology.link_flits_per_cycle": speed})) for speed in (1, 64))
    assert one["packet_hash"] == other["packet_hash"]


def test_a_network_written_as_graphml_has_the_speeds_that_it_had(tmp_path: Path) -> None:
    """The network of an experiment, as a graph of networkx, as a file, as the network of another experiment."""
    cube = {"kind": "cube", "sizes": [2, 3, 2], "link_speeds": [1, 5, 64]}
    cut_through = {"router": {"architecture": "virtual_cut_through", "vcs": 1}, "routing": {"algorithm": "table"}}
    first = graph_of(braid.Network({"topology": cube, **cut_through}).topology)
    there = first.to_undirected()
    doubled = there.__class__(name="there")
    doubled.add_nodes_from((name, {"nodes": len(data["nodes"])}) for name, data in first.nodes(data=True))
    for a, b, data in first.edges(data=True):
        if a < b:
            kept = {key: data[key] for key in ("latency", "flits_per_cycle")}
            doubled.add_edge(a, b, **kept)
    file = tmp_path / "cube.graphml"
    file.write_text(graphml(doubled))
    again = graph_of(braid.Network({"topology": {"kind": "graph", "file": str(file)}, **cut_through}).topology)

    def ends(graph: Any) -> list[tuple[str, str, int]]:
        return sorted((a, b, data["flits_per_cycle"]) for a, b, data in graph.edges(data=True))

    assert ends(again) == ends(first)
    assert {speed for _, _, speed in ends(again)} == {1, 5, 64}


def test_the_picture_shows_how_full_a_faster_link_is(tmp_path: Path) -> None:
    """With all links between the halves of a row used up, the widest line is the middle's, whatever it takes."""
    svg = tmp_path / "row.svg"
    settings = ROW | COMPLEMENT | {"topology.link_flits_per_cycle": 2}
    sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    out = program("run", EXPERIMENT, *sets, "--draw", svg)
    picture = ElementTree.parse(svg).getroot()
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in picture.iter(f"{space}text")]
    unit = texts.index("of what a link takes in a cycle")
    assert texts[unit - 6 : unit] == ["0", "0.2", "0.4", "0.6", "0.8", "1"], "the legend ends with a link that is full"
    assert "of those that the link takes" in " ".join(out.split())
    assert "2.0000  of 2" in out
