"""Streams on circuits that move are whole and in order under every schedule, by an account of the packet log alone."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from braid_tools.account.log import Log
from braid_tools.account.moves import check_moves, packets_of
from braid_tools.program import ROOT, braid
from braid_tools.vcd import read_vcd

EXPERIMENT = ROOT / "tb" / "experiments" / "fm_radio.toml"
GRAPHS = ROOT / "scripts" / "braid_tools" / "papers" / "tentacle" / "graphs"
PROGRAMS = {
    "fm_radio": ROOT / "traffic" / "graphs" / "fm_radio_4x4.toml",
    "bitonic_sort": GRAPHS / "BitonicSort_4x4.toml",
    "des": GRAPHS / "DES_4x4.toml",
}
MOVES = {
    "each": {"setup.reroute": "each", "setup.avoid_links": "1,1.east 2,2.north"},
    "all": {"setup.reroute": "all"},
}
SETTINGS = {
    "setup.retries": 40,
    "setup.reroute_at_cycle": 2000,
    "setup.reroute_every_cycles": 2500,
    "simulation.measure_cycles": 6000,
    "traffic.rate_flits_per_node_cycle": 0.1,
}
#: Rounds of moves enough, without the packets' long warm-up and drain: they are saturated.
SOON = {"simulation.max_warmup_cycles": 6000, "simulation.max_drain_cycles": 1000}


def run(program: str, moves: str, *options: str | Path, **more: Any) -> dict[str, Any]:
    """The results of a run."""
    settings = SETTINGS | MOVES[moves] | {"stream.graph": PROGRAMS[program], **more}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    return json.loads(braid("run", EXPERIMENT, *words, "--quiet", *options, "--json", "-"))


def logged_run(folder: Path, program: str, moves: str, **more: Any) -> tuple[Log, dict[str, Any]]:
    """The packet log and the results of a run."""
    results = run(program, moves, "--log", folder / "log.csv", **more)
    return Log(folder / "log.csv"), results


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_streams_are_whole_and_in_order(tmp_path: Path, program: str, moves: str) -> None:
    # FM radio moves with the order of its streams, but no order avoids those links; the others have no contention.
    avoided = {} if program == "fm_radio" else {"setup.avoid_links": "1,1.east 2,2.north"}
    log, results = logged_run(tmp_path, program, moves, **avoided)
    assert check_moves(log, results) == []
    assert results["conservation"]["holds"]
    assert results["reroutes"]["rounds"] >= 2
    assert results["reroutes"]["other_paths"] > 0
    assert results["reroutes"]["moves"] == results["reroutes"]["rounds"] * len(results["stream"]["edges"])


@pytest.mark.parametrize("moves", MOVES)
def test_every_schedule_gives_the_same_moves(moves: str) -> None:
    schedules: list[dict[str, Any]] = [
        {},
        {"simulation.threads": 2},
        {"simulation.threads": 4},
        {"simulation.schedule": "process_per_stage"},
    ]
    seen = []
    for schedule in schedules:
        results = run("fm_radio", moves, **schedule, **SOON)
        assert results["reroutes"]["rounds"] >= 3
        seen.append((results["packet_hash"], results["reroutes"]))
    assert all(other == seen[0] for other in seen)


def test_a_waveform_shows_each_move(tmp_path: Path) -> None:
    """TEAR_DOWN at the routers of the old path, one after the other in two cycles each; then PROBE at those of the new;
    `circuit_out` is 63 (none) at so many more ports meanwhile."""
    wave = tmp_path / "wave.vcd"
    window = {"trace.file": wave, "trace.from_cycle": 1990, "trace.to_cycle": 2500}
    results = run("fm_radio", "each", **{"setup.avoid_links": "", **window})
    signals = read_vcd(wave, ("control", "circuit_out", "cycle"))
    first = signals["network.cycle"][1] - 1  # a column before the first cycle has the values at the start
    control = np.array([values for name, values in signals.items() if name.endswith("control")])
    free = sum(np.array(values) == 63 for name, values in signals.items() if name.endswith("circuit_out"))
    tear_down, probe = 4, 1
    seen = 0
    for move in results["reroutes"]["list"]:
        begin, torn, end = (move[f"{key}_cycle"] - first for key in ("empty", "torn", "resumed"))
        if end >= control.shape[1] - 1 or torn != begin + 4 + 2 * move["links"]:
            continue
        seen += 1
        routers = range(move["links"] + 1)
        messages = control[:, begin : end + 1]
        assert np.flatnonzero((messages == tear_down).any(axis=0)).tolist() == [2 * r for r in routers]
        assert (messages == tear_down).sum() == len(routers)
        search = torn + results["configuration"]["setup"]["token_cycles"] - begin
        assert np.flatnonzero((messages == probe).any(axis=0)).tolist() == [search + 2 * r for r in routers]
        assert free[torn] == free[begin] + len(routers)
        assert free[end] == free[begin]
    assert seen > 5


Spoil = Callable[[Log, dict[str, Any]], None]


def swap(log: Log, _: dict[str, Any]) -> None:
    a, b = packets_of(log, 3)[5:7]
    log.delivered[[a, b]] = log.delivered[[b, a]]


def lose(log: Log, _: dict[str, Any]) -> None:
    log.stream[packets_of(log, 3)[5]] = -1


def double(log: Log, _: dict[str, Any]) -> None:
    log.stream_packet[packets_of(log, 3)[6]] -= 1


def late(log: Log, results: dict[str, Any]) -> None:
    move = results["reroutes"]["list"][0]
    before = np.flatnonzero((log.kind == "circuit") & (log.created <= move["stopped_cycle"]))
    mine = [i for i in before if log.stream[i] == move["number"]]
    log.delivered[mine[-1]] = move["torn_cycle"] + 1


def longer(_: Log, results: dict[str, Any]) -> None:
    results["reroutes"]["max_standstill_cycles"] += 1


def sooner(_: Log, results: dict[str, Any]) -> None:
    results["reroutes"]["list"][2]["resumed_cycle"] -= 1


def test_the_account_of_moves_notices(tmp_path: Path) -> None:
    log, results = logged_run(tmp_path, "fm_radio", "each", **SOON)
    spoils: list[Spoil] = [swap, lose, double, late, longer, sooner]
    for spoil in spoils:
        spoiled_log, spoiled = copy.deepcopy((log.column, results))
        other = copy.copy(log)
        other.column = spoiled_log
        if spoil is spoils[0]:
            assert check_moves(other, spoiled) == [], "the copy is whole"
        spoil(other, spoiled)
        assert check_moves(other, spoiled) != [], spoil.__name__
