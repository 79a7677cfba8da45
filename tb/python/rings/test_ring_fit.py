"""The figures of the paper's section 4.5 for the TILE-Gx72, under the reading that simulate.py states."""

from dataclasses import replace

import pytest
from fit import BURST, NODES, STATED, TILE, errors, estimated, measured, refined, ring, worst
from simulate import Costs, bottleneck, burst, constant, latency, mesh
from structure import Tree

TILES = mesh(8)


def test_six_figures_within_five_per_cent() -> None:
    found = {k: measured(k, TILE, TILES) for k in STATED}
    rounded = {k: (round(us, 3), round(rate, 3)) for k, (us, rate) in found.items()}
    assert rounded == {6: (1.674, 0.677), 2: (1.728, 1.530), 1: (8.348, 1.954)}
    assert max(abs(e) for e in errors(found)) < 0.047


def test_the_costs_are_as_good_as_any_near_them() -> None:
    assert worst(refined(TILE, TILES), TILES) > worst(TILE, TILES) - 0.005


def test_bursts_are_a_latency_and_the_busiest_node() -> None:
    for k in STATED:
        assert estimated(k, TILE, TILES) == pytest.approx(measured(k, TILE, TILES), rel=0.02)


def test_without_costs_off_the_way_throughput_is_two_to_three_times_too_high() -> None:
    bare = replace(TILE, settle=0, after=0)
    for k, (_, stated) in STATED.items():
        assert 1.7 < estimated(k, bare, TILES)[1] / stated < 4.2


def test_an_event_of_242_before_passing_on_is_three_times_too_slow() -> None:
    assert latency(ring(1), Costs(receive=19, event=242, send=93, settle=2, after=94), TILES) > 3 * 8000


@pytest.mark.parametrize(("k", "ratio"), [(1, 1.80), (2, 1.22), (6, 1.17)])
def test_queued_events_are_slower(k: int, ratio: float) -> None:
    slower = latency(ring(k), TILE, TILES, queued=True) / latency(ring(k), TILE, TILES)
    assert slower == pytest.approx(ratio, abs=0.01)


def test_rings_have_the_higher_throughput_unless_the_root_alone_settles() -> None:
    """The paper, of arity 2: "similar for diamond rings and balanced trees"."""
    at_root = replace(TILE, settle=0, issue=TILE.settle)
    assert max(abs(e) for e in errors({k: measured(k, at_root, TILES) for k in STATED})) < 0.047
    for k in range(1, 7):
        tree = Tree(NODES, k)
        assert bottleneck(ring(k), TILE) < bottleneck(tree, TILE)
        assert bottleneck(ring(k), at_root) == bottleneck(tree, at_root)
    tree = Tree(NODES, 2)
    assert burst(tree, TILE, constant(1), BURST) * 1.33 == pytest.approx(
        burst(ring(2), TILE, constant(1), BURST), rel=0.01
    )
    assert burst(tree, at_root, TILES, BURST) == pytest.approx(burst(ring(2), at_root, TILES, BURST), rel=0.02)


def test_latency_of_arity_2_against_trees() -> None:
    assert latency(ring(2), TILE, TILES) / latency(Tree(NODES, 2), TILE, TILES) == pytest.approx(0.92, abs=0.01)
