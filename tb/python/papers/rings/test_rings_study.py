"""The arithmetic of `scripts/reproduce rings`: fits, Pareto fronts, intervals, sentences; a point of each machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest
from braid_tools.comparison import Verdict
from braid_tools.papers.rings import fit, hypotheses, shapes, statements
from braid_tools.papers.rings.platforms import (
    PHI,
    PHI_TWO_RINGS,
    TILE,
    TILE_COSTS,
    TILE_HYBRID,
    XEON,
    Costs,
    Platform,
    mean_wire,
    phi_network,
    phi_two_rings,
    xeon_network,
)
from braid_tools.papers.rings.points import BURSTS, Point, Runs, figure_points, largest, measured
from braid_tools.study import Study


def at(latency: float, throughput: float) -> SimpleNamespace:
    return SimpleNamespace(latency=latency, throughput=throughput, path=10, messages=20)


class Formula:
    """In place of runs: latency 10 sends and receives, a burst as the busiest node's work."""

    def __init__(self) -> None:
        self.asked: list[Point] = []

    def prepare(self, points: Iterable[Point]) -> None:
        self.asked += list(points)

    def __getitem__(self, point: Point) -> SimpleNamespace:
        c, k = point.costs, point.arity
        latency = 10 * (c.receive + k * c.send)
        work = k * (c.receive + c.after + c.send) + c.settle
        return at(latency / 1000, 128_000 / (latency + 127 * work))


def test_a_fit_of_one_point_gives_its_figures() -> None:
    runs = Formula()
    found = fit.one_point(runs, TILE, ("DR", 2), TILE_COSTS)
    latency, throughput = TILE.stated["DR", 2]
    figures = runs[Point(TILE.name, "DR", 2, found)]
    assert figures.latency == pytest.approx(latency, rel=0.01)
    assert figures.throughput == pytest.approx(throughput, rel=0.02)
    assert found.receive / found.send == pytest.approx(TILE_COSTS.receive / TILE_COSTS.send, rel=0.05)


def test_the_search_never_ends_farther_than_it_began() -> None:
    runs = Formula()
    start = Costs(receive=40, event=0, send=60, settle=100, after=100)
    end = fit.all_stated(runs, TILE, start)
    assert fit.worst(runs, TILE, end) < fit.worst(runs, TILE, start)
    assert all(cycles >= 0 for cycles in vars(end).values())


def test_two_factors_scale_what_is_on_and_off_the_way() -> None:
    scaled = Costs(receive=10, event=2, send=20, settle=30, after=40, order=10).scaled(2, 0.5)
    assert scaled == Costs(receive=20, event=4, send=40, settle=15, after=20, order=20)


def test_a_front_holds_what_nothing_beats_in_both() -> None:
    found = {
        ("DR", 1): at(8, 2),
        ("DR", 2): at(2, 1.5),
        ("BT", 2): at(2.1, 1.4),
        ("DR", 6): at(1.6, 0.7),
        ("BT", 6): at(1.7, 0.6),
    }
    assert statements.pareto(found) == [("DR", 6), ("DR", 2), ("DR", 1)]
    found["BT", 3] = at(1.5, 1.6)
    assert statements.pareto(found) == [("BT", 3), ("DR", 1)]


def test_pareto_rows_say_what_the_front_is() -> None:
    found = {("DR", 1): at(8, 2), ("SDR", 2): at(2, 1.5)}
    verdicts = [row.verdict for row in statements.pareto_rows(TILE, found, [("DR", 2), ("DR", 1)], "")]
    assert verdicts == [Verdict.DIFFERS, Verdict.MATCH, Verdict.DIFFERS]


def test_a_figure_within_a_factor_either_way() -> None:
    found = {("SDR", 6): at(5.4 * 1.9, 0.35 / 2.1), ("SDR", 2): at(3.1, 0.65)}
    rows = statements.factor_rows(XEON, found, [("SDR", 6), ("SDR", 2)], "predicted", 2)
    assert [row.verdict for row in rows] == [Verdict.MATCH, Verdict.DIFFERS, Verdict.MATCH, Verdict.MATCH]
    assert rows[1].measured == pytest.approx(2.1)


def test_most_arities_are_four_of_six() -> None:
    better = {("DR", k): at(1, 1.0 if k > 2 else 0.1) for k in range(1, 7)}
    found = better | {("BT", k): at(1, 0.5) for k in range(1, 7)}
    assert statements.for_most_arities(TILE, found, "DR", "BT").verdict == Verdict.MATCH
    assert statements.for_most_arities(TILE, found, "BT", "DR").verdict == Verdict.DIFFERS


def test_an_interval_is_that_of_students_t() -> None:
    ratio = hypotheses.interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert (ratio.mean, ratio.half) == (3.5, pytest.approx(2.571 * 0.7637626, rel=1e-6))


def test_draws_are_other_roots_and_costs_within_a_quarter() -> None:
    sets = hypotheses.drawn(TILE_COSTS, TILE, 10)
    assert len({root for root, _ in sets}) == 10
    assert sets == hypotheses.drawn(TILE_COSTS, TILE, 10)
    for _, costs in sets:
        assert 0.74 * TILE_COSTS.settle < costs.settle < 1.26 * TILE_COSTS.settle
        assert costs.issue == 0


def test_a_hypothesis_holds_with_its_whole_interval() -> None:
    def verdicts(latency: float, throughput: float) -> list[Verdict]:
        ratios = (hypotheses.Ratio(latency, 0.02), hypotheses.Ratio(throughput, 0.02))
        return [row.verdict for row in hypotheses.rows([hypotheses.Tested("m", 2, *ratios, (10, 12), 0.9)])]

    assert verdicts(0.97, 1.03) == [Verdict.MATCH, Verdict.MATCH]
    assert verdicts(0.99, 1.01) == [Verdict.DIFFERS, Verdict.DIFFERS]


def test_a_burst_without_end_is_no_figure() -> None:
    one = {"broadcast": {"latency_cycles": {"p50": 1000}, "longest_path": 5, "messages": 9}}
    burst = {"broadcast": {"burst_cycles": {"count": 1}, "refused": [], "burst_broadcasts_per_kilocycle": 1.5}}
    figures = measured(one, burst, 2000)
    assert (figures.latency, figures.throughput) == (0.5, 3.0)
    burst["broadcast"]["burst_cycles"] = {"count": 0}
    with pytest.raises(RuntimeError, match="did not complete"):
        measured(one, burst, 2000)


def test_every_figure_has_its_points() -> None:
    points = figure_points(TILE, TILE_COSTS)
    assert len(points) == len(set(points)) == 3 * 6 + 3 * 6 + 6 + 1


def test_machines_have_their_threads() -> None:
    machines = ((XEON, xeon_network()), (PHI, phi_network()), (PHI_TWO_RINGS, phi_two_rings()))
    for platform, graph in machines:
        assert sum(nodes for _, nodes in graph.nodes(data="nodes")) == platform.nodes
    assert len(phi_network().edges) == 60
    assert len(phi_two_rings().edges) == 60 + 60 + 60
    assert sorted(latency for *_, latency in xeon_network().edges(data="latency"))[-5:] == [1, 60, 60, 60, 60]


@pytest.mark.parametrize("platform", [TILE, XEON, PHI], ids=lambda p: p.name)
def test_the_program_takes_every_machine(platform: Platform, tmp_path: Path) -> None:
    runs = Runs(Study("rings", quick=True, results=tmp_path), [platform])
    point = Point(platform.name, "DR", 6, TILE_COSTS, burst=2)
    figures = runs[point]
    assert figures.messages >= platform.nodes
    assert figures.latency > 1


class Planted(Formula):
    """In place of runs: figures by variant, "+" where positions are only added, and by arity; bursts of 4 are best."""

    def __init__(self, figures: dict[tuple[str, int], tuple[float, float, int, int]]) -> None:
        super().__init__()
        self.figures = figures

    def __getitem__(self, point: Point) -> SimpleNamespace:
        latency, throughput, path, messages = self.figures[point.variant + "+" * point.added, point.arity]
        more = 1.5 if point.burst == 4 else 1
        return SimpleNamespace(latency=latency, throughput=more * throughput, path=path, messages=messages)


def test_an_asymmetric_tree_gives_throughput_away_for_latency() -> None:
    def verdicts(latency: float, throughput: float) -> list[Verdict]:
        tree = {("LT", 0): (latency, throughput, 10, 142)}
        runs = Planted({("DR", 2): (1.2, 1.5, 10, 103), ("BT", 2): (1.9, 1.0, 12, 142)} | tree)
        return [row.verdict for row in shapes.asymmetric_rows(runs, TILE, TILE_COSTS)]

    assert verdicts(1.0, 0.5) == [Verdict.MATCH] * 3
    assert verdicts(1.3, 1.2) == [Verdict.MATCH, Verdict.DIFFERS, Verdict.DIFFERS]
    assert verdicts(0.9, 1.6) == [Verdict.DIFFERS] * 3


def test_further_positions_only_take_latency_off_and_lengthen_the_path() -> None:
    same = {(v, k): (1.0, 1.0, 10, 100) for v in ("DR", "DR+") for k in range(1, 7)}

    def verdicts(latency: float, path: int) -> list[Verdict]:
        runs = Planted(same | {("DR+", 4): (latency, 1.0, path, 90)})
        return [row.verdict for row in shapes.contamination_rows(runs, TILE_COSTS)]

    assert verdicts(0.9, 11) == [Verdict.MATCH, Verdict.MATCH]
    assert verdicts(1.1, 10) == [Verdict.DIFFERS, Verdict.DIFFERS]
    assert verdicts(0.9, 9) == [Verdict.MATCH, Verdict.DIFFERS]


def test_the_largest_throughput_is_that_of_any_burst_up_to_128() -> None:
    runs = Planted({("DR", 2): (1.0, 2.0, 10, 100)})
    assert largest(runs, Point(TILE.name, "DR", 2, TILE_COSTS)) == 3.0
    assert {point.burst for point in runs.asked} == set(BURSTS)


def test_two_rings_are_compared_with_one() -> None:
    figures = {name: (1.0, 1.0, 10, 100) for name in (("DR", 2), ("DR", 3), ("BT", 2))}
    assert {row.verdict for row in shapes.two_ring_rows(Planted(figures), TILE_COSTS)} == {Verdict.MATCH}


def test_a_wire_is_the_mean_over_all_pairs_of_nodes() -> None:
    assert mean_wire(phi_network()) == 9 + round(5 * (2 * sum(range(1, 30)) + 30) / 59)
    assert TILE_HYBRID.wire_cycles == 9 + round(5 * (8 + 9) / 3)
    settings = Point(TILE.name, "LT", 0, TILE_COSTS).settings(3)
    assert settings["broadcast.logp_latency_cycles"] == 85 + 3 + 26
    assert settings["broadcast.logp_gap_cycles"] == 85
    assert "broadcast.arity" not in settings
