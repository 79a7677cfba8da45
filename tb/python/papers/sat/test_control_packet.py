"""SAT as a control packet beside wires: points, rows that tell what holds from what does not, what is drawn."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
from braid import plot
from braid_tools.comparison import Verdict
from braid_tools.papers.sat import control_packet
from braid_tools.papers.sat.control_packet import CARRIERS, MESH, TREE, Found, Network, policies
from braid_tools.papers.sat.points import NONE, Policy


def result(network: Network, policy: Policy, *, rate: float = 1.0, apart: float = 0.5, longer: float = 1.1) -> Any:
    """A node's rate over what k packets an interval bound it to; how far nodes are apart, over 4 k packets."""
    if policy == NONE:
        spread = {"min": 0.2, "mean": 0.4, "max": 0.6}
        return {"measured_cycles": 100_000, "classes": [{"injection_spread_flits_per_cycle": spread}]}
    interval = longer * network.idle[policy.carrier]
    mean = rate * policy.k * network.flits / interval
    half = apart * 4 * policy.k * network.flits / 100_000 / 2
    spread = {"min": mean - half, "mean": mean, "max": mean + half}
    return {
        "measured_cycles": 100_000,
        "classes": [{"injection_spread_flits_per_cycle": spread}],
        "fairness": {"interval_cycles": {"mean": interval}},
    }


def found(**of: float) -> Found:
    return {(n, "uniform"): {p: result(n, p, **of) for p in policies(n)} for n in (MESH, TREE)}


@pytest.mark.parametrize(
    ("of", "differ"),
    [
        ({}, set()),
        ({"apart": 1.2}, {0}),
        ({"rate": 0.9}, {1}),
        ({"rate": 1.1}, {1}),
        ({"longer": 0.9}, {2}),
        ({"longer": 1.3}, {2}),
    ],
)
def test_rows_tell_what_is_unfair_unbound_or_too_fast(of: dict[str, float], differ: set[int]) -> None:
    rows = control_packet.rows(found(**of))
    assert len({row.key for row in rows}) == len(rows) == 3 * 2 * 2
    assert {i % 3 for i, row in enumerate(rows) if row.verdict == Verdict.DIFFERS} == differ
    assert sum(row.verdict == Verdict.DIFFERS for row in rows) == 4 * len(differ)


def test_points_differ_in_the_line_only() -> None:
    where = (MESH, "hot region")
    free, wires, packet = (
        control_packet.run_of(where, p).settings for p in (NONE, *(Policy(c, 8, 8) for c in CARRIERS))
    )
    assert packet == wires | {"sat.carrier": "control_packet"}
    assert {key: free[key] for key in free if key != "interface.fairness"}.items() <= wires.items()
    assert free["traffic.hot_fraction"] == 0.25


def test_what_is_drawn_is_what_was_measured(tmp_path: Path) -> None:
    control_packet.draw(tmp_path / "c.png", found())
    assert (tmp_path / "c.png").read_bytes()[:4] == b"\x89PNG"
    _, (above, below) = plt.subplots(2)
    points = list(control_packet.curves(found()[MESH, "uniform"], "control_packet"))
    control_packet.draw_carrier(above, below, points, MESH, "control_packet", "packet")
    look = plot.style("control_packet")
    [bars] = above.containers
    assert (bars.lines[0].get_color(), bars.lines[0].get_marker()) == (look["color"], look["marker"])
    assert list(bars.lines[0].get_xdata()) == list(MESH.thresholds)
    assert list(bars.lines[0].get_ydata()) == pytest.approx([k * 4 / (1.1 * 960) for k in MESH.thresholds])
    assert list(below.lines[0].get_ydata()) == pytest.approx([1.1 * 960] * len(MESH.thresholds))
    plt.close("all")
