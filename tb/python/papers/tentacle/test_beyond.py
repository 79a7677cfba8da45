"""What goes beyond tentacle-routing: packets beside streams, larger meshes, programs side by side."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from braid_tools.papers.tentacle import beyond_large, beyond_packet_rows, beyond_packets, beyond_side
from braid_tools.papers.tentacle.beyond_packets import ADAPTIVE_PACKETS, LOADS, Beside, Case
from braid_tools.papers.tentacle.networks import REFERENCE
from braid_tools.papers.tentacle.points import Ports, Setting
from braid_tools.papers.tentacle.programs import divisor, program
from braid_tools.papers.tentacle.throughputs import IDEAL, OURS, SAME_ADAPTIVE, SAME_IDEAL, TENTACLE, Measured
from braid_tools.program import run
from braid_tools.study import Study

# a and b, one stream of six items; on three tiles in a row.
PAIR = """
name = "pair"
actor = [{name = "a", work = 7, tile = 0}, {name = "b", work = 3, tile = 2}]
edge = [{from = "a", to = "b", push = 6, pop = 3}]
"""


@pytest.fixture(name="pair")
def _pair(tmp_path: Path) -> Path:
    path = tmp_path / "pair.toml"
    path.write_text(PAIR)
    return path


def test_latency_alone_is_the_formula_for_every_pair() -> None:
    # 2x2: of three others two are a link away, one two; 3 + 5 R + L - 1, L of 1 and 5 as often.
    assert beyond_packets.zero_load(2) == pytest.approx(3 + 5 * (1 + 4 / 3) + 2)


@pytest.mark.parametrize("size", [4, 6])
def test_the_busiest_link_of_uniform_packets_is_counted(size: int) -> None:
    nodes = range(size * size)
    links: Counter[tuple[int, int]] = Counter()
    for a in nodes:
        for b in nodes:
            x, y = a % size, a // size
            while x != b % size:
                step = 1 if b % size > x else -1
                links[x + size * y, x + step + size * y] += 1
                x += step
            while y != b // size:
                step = 1 if b // size > y else -1
                links[x + size * y, x + size * (y + step)] += 1
                y += step
    each = beyond_packets.COHERENCE / (len(nodes) - 1)  # flits/cycle of a pair
    assert beyond_packets.busiest_link(size) == pytest.approx(max(links.values()) * each)


def test_requests_and_replies_are_the_load_that_is_asked_for() -> None:
    result = run(beyond_packets.packets_alone(4, 4, {}))
    assert beyond_packets.accepted(result) == pytest.approx(beyond_packets.COHERENCE, rel=0.05)
    (packets,) = result["classes"]
    assert packets["packet_latency_distribution_cycles"]["min"] == 3 + 5 * 2  # a request to a neighbour: 2 routers


def result_with(links: dict[tuple[str, str], float], iterations: float) -> dict:
    rows = [{"router": r, "port": p, "circuit_flits_per_cycle": f} for (r, p), f in links.items()]
    return {"links": rows, "stream": {"iterations_per_kilocycle": {"mean": iterations}}}


def case(pair: Path, network: str = TENTACLE, load: float = 0.5, bandwidth: int = 4) -> Case:
    return Case(Setting("Pair", 4, pair, Ports(bandwidth)), network, load)


def test_squeeze_is_of_two_links_one_after_the_other_under_x_first(pair: Path) -> None:
    east, north = {("0,0", "east"): 0.4}, {("1,0", "north"): 0.5}
    assert beyond_packets.squeeze(result_with(east | north, 1), case(pair)) == pytest.approx(0.9)
    # From north on to east no packet turns, and a link that circuits leave alone squeezes nothing.
    assert beyond_packets.squeeze(result_with({("0,0", "north"): 0.4, ("0,1", "east"): 0.5}, 1), case(pair)) == 0.5
    assert beyond_packets.squeeze(result_with(east | {("1,0", "east"): 0.0}, 1), case(pair)) == 0.4


def test_squeeze_counts_a_node_of_one_port(pair: Path) -> None:
    result = result_with({("0,0", "east"): 0.1}, 100)  # 6 items 100 times in 1000 cycles
    assert beyond_packets.squeeze(result, case(pair, bandwidth=1)) == pytest.approx(0.6)
    assert beyond_packets.squeeze(result, case(pair, bandwidth=4)) == pytest.approx(0.15)


def beside(
    of: Case, *, streams: float = 1.0, mean: float = 25.0, saturated: bool = False, squeeze: float = 0.2
) -> Beside:
    packets = {"mean": mean, "p99": 2 * mean}
    accepted = 0.0 if saturated else 0.1
    return Beside(of, 1.0, streams, {"mean": 20.0, "p99": 40.0}, packets, saturated, accepted, squeeze)


def test_packets_that_do_not_arrive_are_explained_only_where_circuits_leave_too_little(pair: Path) -> None:
    def verdict(squeeze: float) -> str:
        some = [beside(case(pair, network, load), saturated=network == TENTACLE and load == 1.0, squeeze=squeeze)
                for network in beyond_packets.STREAMS_ON for load in LOADS]  # fmt: skip
        found = {row.quantity: row for row in beyond_packet_rows.keeping_rows(some, 4)}
        assert sum(row.verdict == "match" for row in found.values()) == len(found) - 1
        return next(row.verdict for row in found.values() if row.measured == 0)

    assert verdict(0.95) == "explained"
    assert verdict(1 - beyond_packets.busiest_link(4) - 0.01) == "differs"


def test_packets_that_trickle_do_not_keep_up(pair: Path) -> None:
    late = beside(case(pair))
    assert late.keeps_up
    assert late.settled
    assert not Beside(late.case, 1, 1, late.alone, late.packets, False, 0.09, 0.2).keeps_up


def test_latencies_are_not_taken_where_a_backlog_of_the_warm_up_is_left(pair: Path) -> None:
    late = beside(case(pair))
    backlog = Beside(late.case, 1, 1, late.alone, late.packets, False, 0.12, 0.2)
    assert backlog.keeps_up
    assert not backlog.settled


def test_streams_that_lose_on_circuits_differ(pair: Path) -> None:
    def verdicts(circuits: float, pushed: float) -> list[str]:
        kept = {TENTACLE: circuits, ADAPTIVE_PACKETS: circuits, REFERENCE: pushed}
        some = [beside(case(pair, n, load), streams=kept[n]) for n in kept for load in LOADS]
        return [row.verdict for row in beyond_packet_rows.stream_rows(some, 4)[:2]]

    assert verdicts(1.0, 0.9) == ["match", "match"]
    assert verdicts(0.97, 0.9) == ["differs", "match"]
    assert verdicts(1.0, 1.05) == ["match", "differs"]


def test_slower_packets_beside_circuits_differ(pair: Path) -> None:
    def verdict(mean: float) -> str:
        some = [beside(case(pair, n, load), mean=mean if n == ADAPTIVE_PACKETS else 20)
                for n in beyond_packets.STREAMS_ON for load in LOADS]  # fmt: skip
        return beyond_packet_rows.latency_rows(some, 4)[0].verdict

    assert verdict(21) == "match"
    assert verdict(40) == "differs"


def measured(same_ideal: float, ideal: float) -> Measured:
    values = {"push, X-first": 1.0, REFERENCE: 1.0, TENTACLE: 1.0, IDEAL: ideal, SAME_IDEAL: same_ideal}
    values[SAME_ADAPTIVE] = 1.0
    settings = [Setting(b, 8, Path(f"{b}.toml")) for b in ("stands", "falls")]
    return Measured(OURS, {}, {s: dict(values) for s in settings}, {8: ["stands"]})


def test_far_from_ideal_is_explained_only_where_routing_is_not_why() -> None:
    assert [r.verdict for r in beyond_large.within_rows(measured(1.0, 1.0), 8)] == ["match", "match"]
    assert [r.verdict for r in beyond_large.within_rows(measured(1.0, 2.0), 8)] == ["match", "explained"]
    assert [r.verdict for r in beyond_large.within_rows(measured(1.2, 2.0), 8)] == ["differs", "differs"]


def test_programs_without_circuits_differ_where_another_search_finds_paths() -> None:
    def verdict(answer: str) -> str:
        large = beyond_large.Large(8, {}, measured(1.0, 1.0), {"falls": answer})
        return next(r.verdict for r in beyond_large.rows(large) if "whose circuits stand" in r.quantity)

    assert verdict("unknown") == "explained"
    assert verdict("found") == "differs"


def test_squares_do_not_overlap_and_keep_their_shape() -> None:
    squares = [{beyond_side.moved(tile, place) for tile in range(25)} for place in range(9)]
    assert len(set.union(*squares)) == 9 * 25
    assert max(max(square) for square in squares) < 256
    assert beyond_side.moved(7, 4) == (5 + 2) + 16 * (5 + 1)  # the square in the middle; tile 7 is x 2, y 1


def test_programs_side_by_side_each_run_at_their_own_pace(pair: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.toml"
    short.write_text(PAIR.replace("push = 6, pop = 3", "push = 2, pop = 2"))
    programs = [beyond_side.Placed("Long", pair, 25, "none"), beyond_side.Placed("Short", short, 25, "none")]
    graph = beyond_side.together(programs, 0.5, tmp_path / "both.toml")
    assert [a["tile"] for a in tomllib.loads(graph.read_text())["actor"]] == [0, 2, 5, 7]
    # Load 0.5: the busiest actor takes twice the cycles of the longest stream's items, 6 and 2.
    assert program(pair, 5).bound(4) == 6
    found = beyond_side.iterations(run(beyond_side.run_of(graph, TENTACLE, 0.5, 64)), programs)
    assert found == pytest.approx({"Long": 1000 / 12, "Short": 1000 / 4}, rel=0.01)


@pytest.mark.parametrize(("benchmark", "whole"), [("Vocoder", False), ("TDE", True), ("DES", True)])
def test_a_partition_is_the_largest_whose_iterations_are_short(benchmark: str, whole: bool, tmp_path: Path) -> None:
    graph, all_tiles = beyond_large.partitioned(Study("s", results=tmp_path), benchmark, 8)
    p = program(graph, 8)
    assert all_tiles is whole
    assert p.bound(4) <= beyond_large.LONGEST * divisor(p)  # of a 720th part of TDE's steady state
    if not whole:
        assert len(p.tiles) == 56
