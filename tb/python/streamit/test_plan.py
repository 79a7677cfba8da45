"""What `braid paths PROGRAM.str --toml FILE` keeps runs later without a search, and is the same run."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from braid_tools.account.account import record
from braid_tools.program import ROOT, BraidError, braid

PROGRAM = ROOT / "traffic" / "streams" / "programs" / "fm_radio.str"
# Lightest work: circuits of a smaller graph. Heavier: packets, for the smaller graph has half of the actors.
LOADS = {"circuits": 0.001, "packets": 0.01}
SHORT = {"simulation.batch_cycles": 500, "simulation.measure_cycles": 3000, "simulation.max_warmup_cycles": 2000}


def words(load: str) -> list[str]:
    """Of a call."""
    keys = {**SHORT, "stream.computation_scaling": LOADS[load], "simulation.until": '""'}
    return ["--quiet", *(word for key, value in keys.items() for word in ("--set", f"{key}={value}"))]


def results(load: str, *more: str | Path) -> dict[str, Any]:
    """Of a run; without the time that it took, and without the name of its graph's file."""
    told = json.loads(braid("run", PROGRAM, *words(load), "--json", "-", *more))
    del told["wall_seconds"], told["configuration"]
    return told


@pytest.fixture(scope="module", params=LOADS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A load and its plan."""
    plan = tmp_path_factory.mktemp("plan") / "plan.toml"
    braid("paths", PROGRAM, *words(request.param), "--toml", plan)
    return request.param, plan


def test_the_run_is_the_same(kept: tuple[str, Path]) -> None:
    load, plan = kept
    searched = results(load)
    assert (searched["stream"]["remedy"]["taken"] == "packets") == (load == "packets")
    assert results(load, "--plan", plan) == searched


def test_the_plan_says_what_the_search_found(kept: tuple[str, Path]) -> None:
    load, plan = kept
    table, remedy = tomllib.loads(plan.read_text())["plan"], results(load)["stream"]["remedy"]
    assert {key: table[key] for key in remedy} == remedy
    assert table["packets"] == (load == "packets")


def test_other_networks_run_its_graph_in_the_same_unit(kept: tuple[str, Path]) -> None:
    """An item at the sink is an item of the program, whatever carries it: the ideal network is no slower."""
    load, plan = kept
    unit = "program_steady_states_per_kilocycle"
    ideal = results(load, "--plan", plan, "--network", "ideal")["stream"]
    assert ideal[unit]["mean"] >= 0.99 * results(load)["stream"][unit]["mean"] > 0
    assert "remedy" not in ideal


def test_the_account_knows_it(kept: tuple[str, Path], tmp_path: Path) -> None:
    load, plan = kept
    experiment = tmp_path / "planned.toml"
    experiment.write_text(
        '[topology]\nwidth = 4\nheight = 4\nlocal_ports = 4\n[routing]\nalgorithm = "minimal_adaptive"\n'
        f'[stream]\ngraph = "{plan}"\ncomputation_scaling = {LOADS[load]}\nremedies = true\nor_packets = true\n'
        '[interface]\nswitching = "circuit"\nstream_queue_items = 0\n'
    )
    assert record(experiment, SHORT, tmp_path, with_wave=False).account().complaints == []


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("stream.degree=3", "is taken as it is; expected 0, or the program itself"),
        ("stream.or_packets=false", "keeps streams on packets; expected true"),
        ("topology.width=2", " actors, the network only 8 nodes"),
        ("stream.tiles=4", "stream.tiles"),
    ],
)
def test_what_does_not_go_with_it_is_refused(setting: str, says: str, kept: tuple[str, Path]) -> None:
    load, plan = kept
    if load == "circuits" and "or_packets" in setting:
        return  # such a plan keeps nothing on packets
    with pytest.raises(BraidError) as refused:
        braid("run", PROGRAM, *words(load), "--plan", plan, "--set", setting)
    assert refused.value.status == 2
    assert says in str(refused.value)
    assert str(plan) in str(refused.value) or setting.split("=")[0] in str(refused.value)
    assert "\n" not in str(refused.value)
