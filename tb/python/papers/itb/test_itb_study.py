"""The arithmetic of `scripts/reproduce itb`: the search for the throughput, averages over topologies, units."""

import math
from dataclasses import replace

import pytest
from braid_tools.comparison import Verdict
from braid_tools.papers.itb import links, paper, points, tables
from braid_tools.papers.itb.points import BALANCED, BMAX, BNUMBERED, BSMART, UD, Network, Traffic
from braid_tools.papers.itb.search import CLOSE, Sample, Search, search_all
from braid_tools.papers.itb.throughputs import mean_of, ratio

LIMIT = 3200


def queue(load: float, saturation: float) -> Sample:
    """A network that takes what it is offered up to its saturation, with a latency that grows as a queue's does."""
    if load < saturation:
        return Sample(load, min(500 / (1 - load / saturation), 50_000), load)
    return Sample(load, 50_000 + load, saturation)


def found(saturation: float, guess: float, step: float = 1.3) -> tuple[float, int]:
    search = Search(LIMIT, guess, step)
    [throughput] = search_all({"n": search}, lambda wanted: [queue(load, saturation) for _, load in wanted]).values()
    return throughput, len(search.samples)


@pytest.mark.parametrize("guess", [0.02, 0.1, 0.12, 0.9])
@pytest.mark.parametrize("saturation", [0.03, 0.1, 0.4])
def test_the_search_finds_the_load_where_the_latency_is_the_limit(saturation: float, guess: float) -> None:
    exact = saturation * (1 - 500 / LIMIT)
    throughput, _ = found(saturation, guess)
    assert throughput == pytest.approx(exact, rel=0.06)


def test_a_good_guess_takes_few_runs() -> None:
    assert found(0.1, 0.08, 1.15)[1] <= 4


def test_ends_are_close_when_the_search_is_done() -> None:
    search = Search(LIMIT, 0.05)
    while (load := search.next_load()) is not None:
        search.samples.append(queue(load, 0.1))
    below, above = search.ends()
    assert below.latency < LIMIT <= above.latency
    assert 1 < above.load / below.load <= CLOSE
    assert below.accepted <= search.throughput() <= above.accepted


def test_between_the_ends_the_logarithm_of_the_latency_counts() -> None:
    search = Search(1000, 1.0, samples=[Sample(1.00, 100, 1.00), Sample(1.05, 10_000, 1.04)])
    assert search.next_load() is None
    assert search.throughput() == pytest.approx(1.02)
    at_the_limit = Search(1000, 1.0, samples=[Sample(1.00, 100, 1.00), Sample(1.05, 1000, 1.04)])
    assert at_the_limit.throughput() == pytest.approx(1.04)


def test_a_latency_that_dips_above_the_limit_counts_from_its_first_crossing() -> None:
    search = Search(1000, 1.0, samples=[Sample(1.0, 100, 1.0), Sample(1.04, 1200, 1.04), Sample(1.2, 900, 1.2)])
    assert [end.load for end in search.ends()] == [1.0, 1.04]


def test_a_network_that_never_gets_there_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="no load found"):
        search_all({"n": Search(LIMIT, 0.1)}, lambda wanted: [Sample(load, 10, load) for _, load in wanted])


def test_searches_go_on_side_by_side() -> None:
    steps = []
    saturations = {"a": 0.1, "b": 0.3}

    def measure(wanted: list[tuple[str, float]]) -> list[Sample]:
        steps.append([name for name, _ in wanted])
        return [queue(load, saturations[name]) for name, load in wanted]

    searched = search_all({name: Search(LIMIT, 0.1) for name in saturations}, measure)
    assert steps[0] == ["a", "b"]
    assert steps[-1] == ["b"], "farther from its guess"
    assert searched["a"] < searched["b"]


def test_ratios_are_taken_in_each_topology_and_then_averaged() -> None:
    of = {}
    for instance, (ud, balanced) in enumerate([(1.0, 2.0), (4.0, 4.0), (1.0, 3.0)]):
        of |= {Network(16, instance, UD): ud, Network(16, instance, BALANCED): balanced}
        of |= {Network(32, instance, UD): 7.0, Network(32, instance, BALANCED): 1.0}
    factor = ratio(of, BALANCED, UD, 16, Traffic())
    assert (factor.mean, factor.deviation, factor.topologies) == (2.0, 1.0, 3)
    assert str(factor) == "3 topologies, deviation 1"
    assert mean_of([5.0]).deviation == 0.0


def test_units_are_the_papers() -> None:
    assert points.LATENCY_LIMIT * points.CYCLE_NS == 20_000
    assert pytest.approx(0.066) == links.FIGURE_8_LOAD * points.HOSTS / points.CYCLE_NS
    shown = paper.in_paper_units({"UD": [Sample(0.1, 1600, 0.125), Sample(0.2, 9999, 0.13)]})
    assert shown == {"UD": ([0.08], [10.0])}


def test_tolerances_are_those_agreed() -> None:
    of = tables.throughput_tolerance
    assert of(BALANCED, UD, "uniform", 2.8) == of(BALANCED, UD, "hot_spot", 2.0) == 0.15
    assert of(BALANCED, UD, "bit_reversal", 2.94) == 0.25
    assert of(BNUMBERED, BALANCED, "uniform", 1.27) == 0.08
    assert of(BNUMBERED, BMAX, "uniform", 1.04) * 1.04 == pytest.approx(0.06)
    assert of(BALANCED, BSMART, "uniform", 1.03) * 1.03 == pytest.approx(0.06)


def test_a_penalty_is_within_six_points() -> None:
    latencies = {
        Network(16, 0, BNUMBERED, Traffic("uniform", 32)): 141.0,
        Network(16, 0, UD, Traffic("uniform", 32)): 100,
    }
    [cell] = [c for c in tables.latency_cells() if (c[0], *c[2:4], c[4].flits) == ("Table 4", UD, 16, 32)]
    assert [row.verdict for row in tables.latency_rows([cell], latencies)] == [Verdict.MATCH]
    latencies[Network(16, 0, BNUMBERED, Traffic("uniform", 32))] = 142.0
    assert [row.verdict for row in tables.latency_rows([cell], latencies)] == [Verdict.DIFFERS]


def test_the_tables_are_whole() -> None:
    factors, penalties = list(tables.throughput_cells()), list(tables.latency_cells())
    assert len(factors) == 5 * (4 + 4 + 2) + 4 + 4 + 3
    assert len(penalties) == 2 * 3 * 8 + 3 * 2 + 3 + 3 + 2
    assert len(set(tables.networks_of(factors, 10))) == 10 * (5 * (5 + 5 + 3) + 2 * 3)


def test_runs_of_different_networks_differ() -> None:
    network = Network(32, 3, BALANCED, Traffic("combined"))
    run = points.run_of(network, 0.05, points.QUICK)
    assert run.settings["traffic.hot_fraction"] == 0.15
    assert run.settings["traffic.silent_fixed_points"]
    hot = [
        points.run_of(replace(network, instance=i), 0.05, points.QUICK).settings["traffic.hot_nodes"][0]
        for i in range(10)
    ]
    assert len(set(hot)) > 5
    assert all(0 <= node < 128 for node in hot)
    bimodal = Traffic("uniform", "bimodal")
    assert bimodal.mean_flits == pytest.approx(176)
    cycles = points.low_load_cycles(replace(network, traffic=bimodal), points.QUICK)
    assert cycles % 10_000 == 0
    assert cycles * 128 * points.LOW_LOAD / 176 >= points.QUICK.messages


def test_percentiles_are_nearest_ranks() -> None:
    values = [float(i) for i in range(1, 21)]
    assert [links.percentile(values, share) for share in (0.05, 0.95, 1.0)] == [1.0, 19.0, 20.0]
    assert links.percentile([3.0], 0.5) == 3.0
    assert math.isclose(links.Links([1.0, 3.0], []).unevenness, 0.5)
