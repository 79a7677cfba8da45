"""braid.Experiment: files, dictionaries, settings, and what is wrong with them."""

import json
import pickle
import tomllib
from pathlib import Path

import braid
import pytest
from braid_tools.gates import golden_runs
from braid_tools.program import ROOT

MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"


def test_settings_lie_over_the_file_and_leave_it_as_it_is() -> None:
    experiment = braid.Experiment(MESH)
    other = experiment.with_(traffic__rate_flits_per_node_cycle=0.3, router__vcs=2)
    assert (experiment["traffic.rate_flits_per_node_cycle"], other["traffic.rate_flits_per_node_cycle"]) == (0.1, 0.3)
    assert (experiment["router.vcs"], other["router.vcs"]) == (4, 2)
    assert other.with_({"router.vcs": 8})["router.vcs"] == 8
    assert other.with_(router__vcs=8)["traffic.rate_flits_per_node_cycle"] == 0.3


def test_a_policy_that_is_replaced_takes_its_keys_along() -> None:
    tree = braid.Experiment(ROOT / "tb" / "experiments" / "tree_sat.toml")
    assert "sat" in tree.configuration
    assert "sat" not in tree.with_(interface__fairness="none").configuration


def test_the_usual_networks_are_what_their_files_would_be() -> None:
    mesh = braid.mesh(6, 5, vcs=2)
    assert (mesh["topology.width"], mesh["topology.height"], mesh["router.vcs"]) == (6, 5, 2)
    same = braid.Experiment.from_dict(
        {
            "experiment": {"name": "mesh_6x5"},
            "topology": {"kind": "mesh", "width": 6, "height": 5},
            "router": {"vcs": 2},
            "traffic": {"pattern": "uniform"},
        }
    )
    assert mesh.configuration == same.configuration
    assert braid.torus(4, 4)["topology.kind"] == "torus"
    assert braid.tree(4, 2)["router.architecture"] == "virtual_cut_through"
    assert braid.hexagonal(3)["router.architecture"] == "po2"
    assert braid.cube(4, 3, 2, wrap=False)["topology.sizes"] == [4, 3, 2]
    stack = braid.cube(4, 4, 4, elevators=[(0, 0), (3, 2)])
    assert (stack["topology.elevators"], stack["routing.algorithm"]) == ([0, 0, 3, 2], "elevator_first")
    assert braid.flattened_butterfly(4, 4, concentration=2)["topology.concentration"] == 2
    fly = braid.butterfly(4, 3)
    assert (fly["topology.arity"], fly["topology.stages"], fly["routing.algorithm"]) == (4, 3, "destination_tag")
    assert braid.dragonfly(4, 2, 2, rate=0.1)["routing.algorithm"] == "dragonfly_minimal"
    assert braid.chiplet_chain(3, 4, 4)["routing.algorithm"] == "x_first"
    chain = braid.chiplet_chain(3, 4, 4, joined_rows=[1, 2], joint_latency=9)
    assert (chain["topology.joined_rows"], chain["topology.joint_latency_cycles"]) == ([1, 2], 9)
    assert chain["routing.algorithm"] == "chiplet_order"
    assert braid.mesh(2, 2, simulation__measure_cycles=5000)["simulation.measure_cycles"] == 5000


def test_experiments_are_values() -> None:
    a, b = braid.mesh(3, 3, rate=0.2), braid.mesh(3, 3).with_(traffic__rate_flits_per_node_cycle=0.2)
    assert a == braid.mesh(3, 3, rate=0.2)
    assert hash(a) == hash(braid.mesh(3, 3, rate=0.2))
    assert pickle.loads(pickle.dumps(b)) == b


def test_what_is_wrong_has_its_place_and_the_nearest_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[topology]\nwidht = 4\n")
    with pytest.raises(braid.InputError) as caught:
        braid.Experiment(file)
    error = caught.value
    assert (error.file, error.line, error.column, error.nearest) == (str(file), 2, 1, "width")
    assert error.status == 2
    with pytest.raises(braid.InputError) as caught:
        braid.mesh(4, 4).with_(router__vcz=2)
    assert caught.value.nearest == "vcs"
    with pytest.raises(braid.InputError, match=r"router.vcs = 99"):
        braid.mesh(4, 4, vcs=99)
    with pytest.raises(braid.InputError, match="expected section__key"):
        braid.mesh(4, 4, depth=9)
    with pytest.raises(braid.InputError, match="cannot be read"):
        braid.Experiment(tmp_path / "nowhere.toml")


def test_what_needs_systemc_is_an_experiment_as_well() -> None:
    """The library without SystemC does not know it; the program does."""
    experiment = braid.mesh(2, 2).with_(router__implementation="pins")
    assert experiment.settings == {"router.implementation": "pins"}
    with pytest.raises(braid.InputError, match=r"known: .*pins"):
        braid.mesh(2, 2).with_(router__implementation="mine")


def as_set(value: object) -> object:
    """What `--set` makes of it: TOML, else a word."""
    if not isinstance(value, str):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def test_every_golden_experiment_is_the_same_to_the_library_as_to_the_program() -> None:
    """Two readers: what the library resolves is what the program writes into its results."""
    compared = 0
    for job in golden_runs.runs():
        if job.name.startswith(golden_runs.CIRCUITS) or golden_runs.needs_rtl(job):
            continue
        experiment = braid.Experiment(job.experiment).with_({k: as_set(v) for k, v in job.settings.items()})
        if not experiment.resolved:
            continue  # the program's alone
        known = json.loads((golden_runs.GOLDEN / f"{job.name}.json").read_text())["configuration"]
        ours = {section: set(keys) for section, keys in experiment.configuration.items()}
        assert ours == {section: set(keys) for section, keys in known.items()}, job.name
        compared += 1
    assert compared > 40
