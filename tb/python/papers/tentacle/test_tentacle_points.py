"""Runs of the study's points: windows, virtual channels and whose graph."""

from pathlib import Path

from braid_tools.papers.tentacle import ahead, throughputs
from braid_tools.papers.tentacle.networks import GRAPHS, NETWORKS, PUSH_X
from braid_tools.papers.tentacle.points import FULL, Ports, run_of
from braid_tools.papers.tentacle.programs import program
from braid_tools.study import Study


def test_readings_have_their_graphs_and_virtual_channels(tmp_path: Path) -> None:
    study = Study("points", results=tmp_path)
    for reading, vcs, folder in ((throughputs.FEW_VCS, 2, GRAPHS), (throughputs.OURS, 4, study.folder)):
        (setting,) = throughputs.settings_of(study, reading, ["DES"], [4])
        assert setting.graph.parent == folder
        run = run_of((setting, PUSH_X, 1.0), program(setting.graph, 4), FULL)
        assert run.settings["router.vcs"] == vcs
        assert run.settings["simulation.measure_cycles"] >= 100_000


def test_packets_have_local_ports_or_turns_of_their_own(tmp_path: Path) -> None:
    """Four ports for circuits and the ideal network; packets are served at one of four, or their nodes have one."""
    study = Study("points", results=tmp_path)
    bound, queue = Ports(4, 1), Ports(4, 1, one_queue=True)
    for ports, local_ports, flits in ((bound, 4, 1), (queue, 1, None), (Ports(4), 4, None)):
        reading = throughputs.Reading(throughputs.OWN_RATES, ports)
        (setting,) = throughputs.settings_of(study, reading, ["DES"], [4])
        keys = {n: run_of((setting, n, 1.0), program(setting.graph, 4), FULL).settings for n in NETWORKS}
        for network, of in keys.items():
            packets = network not in ("tentacle", "ideal")
            assert of["topology.local_ports"] == (local_ports if packets else 4)
            assert of.get("interface.packet_injection_flits") == (flits if packets else None)
            assert of.get("interface.packet_ejection_flits") == (flits if packets else None)
    assert bound.name == "4, of packets 1"
    assert queue.name == "4, of packets 1, one queue a node"


def test_the_longest_warm_up_is_no_shorter_than_the_shortest(tmp_path: Path) -> None:
    (setting,) = throughputs.settings_of(Study("points", results=tmp_path), throughputs.MAIN, ["DES"], [4])
    keys = run_of((setting, PUSH_X, 1.0), program(setting.graph, 4), ahead.SETTLED).settings
    assert keys["simulation.min_warmup_cycles"] == 100_000
    assert keys["simulation.max_warmup_cycles"] >= 100_000
