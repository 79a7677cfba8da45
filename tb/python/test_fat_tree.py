"""Fat trees of one root (topology.kind = "fat_tree"): what their trunks let through, to the packet."""

from pathlib import Path

import networkx
import pytest
from braid_tools.papers.sat import figure1
from braid_tools.papers.sat.points import EXPERIMENT, Policy
from braid_tools.program import Run, run

BUILT = {
    "topology.kind": "fat_tree",
    "topology.arity": 2,
    "topology.levels": 3,
    "routing.algorithm": "table",
    "routing.parallel_links": "by_source",
}


@pytest.mark.parametrize(
    ("trunks", "share"),
    [([2, 4], 1.0), ([2, 2], 0.5), ([2, 1], 0.25), ([1, 4], 0.5), ([1, 1], 0.25), ([1, 2], 0.5), ([3, 6], 1.0)],
)
def test_a_trunk_lets_through_its_links(trunks: list[int], share: float) -> None:
    """Closed form: every node of one half sends to one of the other. Two nodes are below the lower trunks, four below
    the upper ones; who is not let through waits."""
    settings = BUILT | {
        "topology.trunk_links": trunks,
        "interface.fairness": "none",
        "traffic.pattern": "bit_complement",
        "traffic.process": "saturated",
        "simulation.min_warmup_cycles": 5_000,
        "simulation.max_warmup_cycles": 5_000,
        "simulation.measure_cycles": 16_000,
    }
    packets = run(Run(f"fat tree {trunks}", EXPERIMENT, settings))["classes"][0]
    assert packets["injected_packets_by_node"] == [1000 * share] * 8


def test_figure_1b_has_the_shares_of_the_file_with_its_links() -> None:
    """tb/experiments/fat_tree.graphml is the same network, with other numbers of ports."""
    job = figure1.point("fat tree of trunks", Policy())
    window = {"simulation.measure_cycles": 9 * 16 * 1000}
    of_file = {key: value for key, value in job.settings.items() if key not in ("topology.kind", "topology.file")}
    built = Run("built", EXPERIMENT, of_file | BUILT | window)
    from_file = Run("from a file", EXPERIMENT, job.settings | window)
    expected = pytest.approx(figure1.SHARES["fat tree of trunks"], abs=1e-9)
    assert figure1.shares(run(built)) == expected
    assert figure1.shares(run(from_file)) == expected


@pytest.mark.parametrize(
    ("links", "speeds", "share"),
    [
        ([1, 1], [2, 4], 1.0),
        ([1, 1], [2, 2], 0.5),
        ([1, 1], [2, 1], 0.25),
        ([1, 1], [1, 1], 0.25),
        ([1, 1], [1, 4], 0.5),
        ([1, 2], [2, 2], 1.0),
        ([2, 1], [1, 4], 1.0),
        ([1, 1], [4, 16], 1.0),
        ([1, 1], [8, 2], 0.5),
    ],
)
def test_a_faster_link_lets_through_its_flits(links: list[int], speeds: list[int], share: float) -> None:
    """Closed form: u links of w flits a cycle above m nodes let through u w / m of a link for each."""
    settings = BUILT | {
        "topology.trunk_links": links,
        "topology.trunk_flits_per_cycle": speeds,
        "interface.fairness": "none",
        "traffic.pattern": "bit_complement",
        "traffic.process": "saturated",
        "simulation.min_warmup_cycles": 5_000,
        "simulation.max_warmup_cycles": 5_000,
        "simulation.measure_cycles": 16_000,
    }
    packets = run(Run(f"fat tree {links} {speeds}", EXPERIMENT, settings))["classes"][0]
    assert packets["injected_packets_by_node"] == pytest.approx([1000 * share] * 8, abs=1)


def test_figure_1b_with_faster_links_is_unfair_in_another_way() -> None:
    job = figure1.point("fat tree of faster links", Policy())
    of_job = figure1.shares(run(job.with_({"simulation.measure_cycles": 16 * 16 * 1000})))
    assert of_job == pytest.approx(figure1.SHARES["fat tree of faster links"], abs=1e-9)


def test_edges_of_a_file_are_as_fast_as_the_same_trunks(tmp_path: Path) -> None:
    """The same tree as GraphML, with a router's ports in another order: Figure 1(b) again."""
    names = ["2.0", "1.0", "1.1", "0.0", "0.1", "0.2", "0.3"]
    graph = networkx.Graph()
    for i, name in enumerate(names):
        graph.add_node(i, name=name, nodes=2 if i >= 3 else 0)
    graph.add_edges_from([(0, 1), (0, 2)], flits_per_cycle=4)
    graph.add_edges_from([(1, 3), (1, 4), (2, 5), (2, 6)], flits_per_cycle=2)
    networkx.write_graphml(graph, tmp_path / "tree.graphml")
    job = figure1.point("fat tree of faster links", Policy())
    kept = {key: value for key, value in job.settings.items() if not key.startswith("topology.")}
    from_file = {"topology.kind": "graph", "topology.file": tmp_path / "tree.graphml"}
    window = {"simulation.measure_cycles": 16 * 16 * 1000}
    one, other = (run(Run("figure 1", EXPERIMENT, settings | window)) for settings in (job.settings, kept | from_file))
    assert figure1.shares(other) == pytest.approx(figure1.SHARES["fat tree of faster links"], abs=1e-9)
    latencies = [r["classes"][0]["packet_latency_cycles"]["mean"] for r in (one, other)]
    assert latencies[0] == pytest.approx(latencies[1], rel=1e-3)
