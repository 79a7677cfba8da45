"""Programs that change while they run lose no item and keep the order, by an account of the packet logs alone: the
items at the sinks are those of the program that does not change."""

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from braid_tools.account.changes import check_streams, stream_of, values
from braid_tools.account.log import Log
from braid_tools.account.stream import Edge, graph_of
from braid_tools.program import ROOT, BraidError, braid

EXPERIMENT = ROOT / "tb" / "experiments" / "fm_radio.toml"
GRAPHS = ROOT / "scripts" / "braid_tools" / "papers" / "tentacle" / "graphs"
DIAMOND = Path(__file__).parent / "diamond.toml"
SETTINGS = {
    "topology.height": 5,  # the last row of tiles is free
    "simulation.min_warmup_cycles": 500,
    "simulation.max_warmup_cycles": 1000,
    "simulation.measure_cycles": 7000,
    "simulation.batch_cycles": 500,
    "interface.stream_queue_items": 0,
}
NETWORKS: dict[str, dict[str, Any]] = {
    "circuits": {"setup.retries": 100},
    "packets": {"interface.switching": "packet"},
    "adaptive": {"interface.switching": "packet", "routing.algorithm": "minimal_adaptive"},
}
MOVES = {"change.migrate_at_cycle": 3000, "change.rate_window_cycles": 1000}


def run(folder: Path, graph: Path, **settings: Any) -> tuple[Log, dict[str, Any]]:
    """The packet log and the results of a run."""
    keys = SETTINGS | {"stream.graph": graph} | settings
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    results = json.loads(braid("run", EXPERIMENT, *words, "--quiet", "--log", folder / "log.csv", "--json", "-"))
    return Log(folder / "log.csv"), results


def sinks(log: Log, results: dict[str, Any], edges: list[Edge], through: tuple[str, ...] = ()) -> dict[str, list[int]]:
    """The values of their items; nothing is lost or out of its place on any stream."""
    names = [edge["name"] for edge in results["stream"]["edges"]]
    assert names == [f"{edge.source} -> {edge.target}" for edge in edges]
    streams = [stream_of(log, number, name) for number, name in enumerate(names)]
    assert check_streams(streams) == []
    return values(edges, streams, through)


def graph(file: Path) -> list[Edge]:
    """Its streams."""
    return graph_of(tomllib.loads(file.read_text()))[2]


def same_items(changed: dict[str, list[int]], still: dict[str, list[int]], least: int) -> None:
    """As far as both have come."""
    assert changed.keys() == still.keys()
    for sink, items in changed.items():
        both = min(len(items), len(still[sink]))
        assert both >= least
        assert items[:both] == still[sink][:both], sink


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("program", ["diamond", "BitonicSort", "DES", "TDE"])
def test_the_sinks_items_are_those_of_the_program_that_stays(tmp_path: Path, program: str, network: str) -> None:
    file = DIAMOND if program == "diamond" else GRAPHS / f"{program}_4x4.toml"
    edges = graph(file)
    keys = NETWORKS[network]
    log, results = run(tmp_path, file, **keys)
    still = sinks(log, results, edges)
    actors = results["stream"]["actors"]
    moves = actors[len(actors) // 2]["name"]
    log, results = run(tmp_path, file, **keys, **MOVES, **{"change.migrate": f"{moves}@2,4"})
    changes = results["stream"]["changes"]
    assert changes["ended"] == changes["planned"] == 1
    assert changes["lost_items"] == 0
    assert changes["list"][0]["to_node"] == 18
    assert results["conservation"]["holds"]
    same_items(sinks(log, results, edges), still, 30)
    of_state = log.kind == "state"
    assert log.flits[of_state].sum() == changes["list"][0]["state_flits"]
    assert log.delivered[of_state].max() == changes["list"][0]["moved_cycle"]


@pytest.mark.parametrize("network", NETWORKS)
def test_a_filter_that_passes_items_on_changes_none(tmp_path: Path, network: str) -> None:
    edges = graph(DIAMOND)
    keys = NETWORKS[network]
    log, results = run(tmp_path, DIAMOND, **keys)
    still = sinks(log, results, edges)
    add = {"change.add_filter": "denoise@2,4", "change.add_between": "left -> join", "change.add_at_cycle": 3000}
    log, results = run(tmp_path, DIAMOND, **keys, **add)
    assert results["stream"]["changes"]["lost_items"] == 0
    assert results["stream"]["changes"]["ended"] == 1
    names = [edge["name"] for edge in results["stream"]["edges"]]
    into = names.index("left -> denoise")
    streams = [stream_of(log, number, name) for number, name in enumerate(names)]
    assert check_streams(streams) == []
    # By way of the filter come the items behind those that came before it was there.
    assert streams[-1].name == "denoise -> join"
    assert len(streams[-1].items) > 100
    past = len(streams[into].items) - len(streams[-1].items)
    assert past > 100
    change = results["stream"]["changes"]["list"][0]
    before = (log.stream == into) & (log.created <= change["stopped_cycle"])
    came = int(log.flits[before].sum())
    assert (log.delivered[before] <= change["empty_cycle"]).all()
    joined = streams[into].items[:came] + [came + item for item in streams[-1].items]
    streams[into].items = joined
    assert check_streams(streams) == []
    same_items(values(edges, streams[:-1]), still, 30)


@pytest.mark.parametrize("network", ["circuits", "packets"])
def test_every_schedule_gives_the_same(tmp_path: Path, network: str) -> None:
    schedules: list[dict[str, Any]] = [
        {},
        {"simulation.threads": 2},
        {"simulation.threads": 4},
        {"simulation.schedule": "process_per_stage"},
    ]
    keys = NETWORKS[network] | MOVES | {"change.migrate": "left@2,4 join@1", "change.migrate_at_cycle": 1500}
    seen = []
    for schedule in schedules:
        _, results = run(tmp_path, DIAMOND, **keys, **schedule)
        assert results["stream"]["changes"]["ended"] == 2
        seen.append((results["packet_hash"], results["stream"]["changes"]))
    assert all(other == seen[0] for other in seen)


def test_a_checkpoint_is_refused_in_one_line(tmp_path: Path) -> None:
    words = ["--set", f"stream.graph={DIAMOND}", "--set", "change.migrate=left@3", "--checkpoint", tmp_path / "c.ckpt"]
    with pytest.raises(BraidError, match=r"no checkpoint can be made: change: .*; expected no section \[change\]$"):
        braid("run", EXPERIMENT, *words, "--quiet")


def test_the_account_notices(tmp_path: Path) -> None:
    """A packet that is lost, one that comes twice, two that have changed places."""
    log, results = run(tmp_path, DIAMOND, **MOVES, **{"change.migrate": "left@2,4"})
    names = [edge["name"] for edge in results["stream"]["edges"]]
    number = names.index("left -> join")
    mine = np.flatnonzero((log.stream == number) & np.isin(log.kind, ("circuit", "stream")))
    assert check_streams([stream_of(log, number, "")]) == []
    for spoil in ("lost", "twice", "swapped"):
        other = copy.copy(log)
        other.column = copy.deepcopy(log.column)
        if spoil == "lost":
            other.stream[mine[5]] = -1
        elif spoil == "twice":
            other.stream_packet[mine[6]] = other.stream_packet[mine[5]]
        else:
            other.stream_packet[mine[[5, 6]]] = other.stream_packet[mine[[6, 5]]]
        assert check_streams([stream_of(other, number, "")]) != [], spoil
