"""Fat trees of one root (topology.kind = "fat_tree"): what their trunks let through, to the packet."""

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
