"""tb/examples/own_allocator: a switch allocator as a SystemC module, in a plugin, in place of the modelled one."""

import json
from pathlib import Path

import pytest
from braid_tools.gates.user_project import EXAMPLES, followed, run

EXAMPLE = EXAMPLES / "own_allocator"
MESH = EXAMPLE / "mesh.toml"


@pytest.fixture(scope="module")
def plugin(installed: Path) -> Path:
    """The plugin that the commands of the README have built."""
    return followed("own_allocator", installed)[0] / "own" / "libown_allocator.so"


def results(installed: Path, plugin: Path, *settings: str) -> dict:
    """Of the mesh."""
    words = [word for setting in settings for word in ("--set", setting)]
    return json.loads(
        run(
            installed / "bin" / "braid",
            "--plugin",
            plugin,
            "run",
            MESH,
            "-q",
            "--json",
            "-",
            *words,
        )
    )


@pytest.mark.parametrize("chosen", ["all", "1,1", "0,0 1,1 2,1 3,3"])
def test_nothing_is_lost_and_schedules_agree(installed: Path, plugin: Path, chosen: str) -> None:
    settings = (f"stage.routers='{chosen}'", "simulation.measure_cycles=5000")
    hashes = set()
    for schedule in ("static", "process_per_stage"):
        found = results(installed, plugin, *settings, f"simulation.schedule={schedule}")
        assert found["conservation"]["holds"]
        assert found["classes"][0]["accepted_flits_per_node_cycle"]["mean"] == pytest.approx(0.3, rel=0.05)
        hashes.add(found["packet_hash"])
    assert len(hashes) == 1


def test_it_is_another_allocator(installed: Path, plugin: Path) -> None:
    own = results(installed, plugin)["packet_hash"]
    assert own != results(installed, plugin, "stage.switch_allocator=model")["packet_hash"]
