"""Rows of circuits that are bound to a local port when they are used, of throughputs made up; and one program that is
run: two circuits of one node that were given the same of its two ports."""

import json
from pathlib import Path

import pytest
from braid_tools.papers.tentacle.networks import EXPERIMENT
from braid_tools.papers.tentacle.port_binding import COLUMNS, Binding, rows, table, when_used
from braid_tools.program import Run, braid


def test_circuits_as_fast_as_ideal_match_and_slower_ones_differ() -> None:
    good = [Binding("Beamformer", 4, 10.0, 16.0, 16.1), Binding("DES", 4, 5.0, 5.0, 5.0)]
    assert [row.verdict for row in rows(good, "a reading")] == ["match"] * 3
    unbound = [Binding("Beamformer", 4, 10.0, 10.1, 16.1), Binding("DES", 4, 5.0, 5.0, 5.0)]
    assert [row.verdict for row in rows(unbound, "a reading")] == ["differs", "match", "differs"]
    slower = [Binding("Beamformer", 4, 10.0, 16.0, 16.1), Binding("DES", 4, 5.2, 5.0, 5.0)]
    assert [row.verdict for row in rows(slower, "a reading")] == ["match", "differs", "match"]
    assert [len(line) for line in table(good, "MIT's graphs")] == [len(COLUMNS)] * 2


FAN = """
name = "fan"
actor = [{name = "a", work = 1, tile = 4}, {name = "b", work = 1, tile = 1}, {name = "c", work = 1, tile = 3},
         {name = "d", work = 1, tile = 5}, {name = "e", work = 1, tile = 7}]
edge = [{from = "a", to = "b", push = 9, pop = 9}, {from = "a", to = "c", push = 1, pop = 1},
        {from = "a", to = "d", push = 9, pop = 9}, {from = "a", to = "e", push = 1, pop = 1}]
"""


@pytest.mark.parametrize(("keys", "cycles"), [({"topology.local_ports": 2, "router.circuit_lanes": 2}, 18),
                                              (when_used(2), 10)])  # fmt: skip
def test_a_firing_takes_as_long_as_the_busiest_port(keys: dict[str, object], cycles: int, tmp_path: Path) -> None:
    """Of 20 items a firing two streams carry 9 each. Ports are given in the order of the token, lane by lane: circuits
    0 and 2 share port 0, 18 flits; two flits a cycle of any circuits are 10 cycles."""
    graph = tmp_path / "fan.toml"
    graph.write_text(FAN)
    mesh = {"topology.width": 3, "topology.height": 3, "stream.graph": graph, "stream.computation_scaling": 0.001}
    short = {"simulation.measure_cycles": 4000, "simulation.max_warmup_cycles": 2000}
    run = Run("", EXPERIMENT, {**mesh, **short, **keys})
    results = json.loads(braid("run", EXPERIMENT, *run.arguments(), "--quiet", "--json", "-"))
    assert not results["setup"]["fell_back_to_packets"]
    per_kilocycle = results["stream"]["iterations_per_kilocycle"]["mean"]
    assert 1000 / per_kilocycle == pytest.approx(cycles, rel=0.05)
