"""tb/examples/own_allocator: a switch allocator as a SystemC module in the modelled one's place, plugin and linked."""

import json
from pathlib import Path

import pytest
from braid_tools.gates.user_project import EXAMPLES, followed, run

EXAMPLE = EXAMPLES / "own_allocator"
MESH = EXAMPLE / "mesh.toml"


Words = list[Path | str]


@pytest.fixture(scope="module")
def programs(installed: Path) -> dict[str, Words]:
    """Programs that know the allocator, by how they came to: what the commands of the README have built."""
    built = followed("own_allocator", installed)[0] / "own"
    return {
        "plugin": [installed / "bin" / "braid", "--plugin", built / "libown_allocator.so"],
        "linked": [built / "own_braid"],
    }


def results(program: Words, *settings: str) -> dict:
    """Of the mesh."""
    words = [word for setting in settings for word in ("--set", setting)]
    return json.loads(run(*program, "run", MESH, "-q", "--json", "-", *words))


@pytest.mark.parametrize("chosen", ["all", "1,1", "0,0 1,1 2,1 3,3"])
def test_nothing_is_lost_and_schedules_agree(programs: dict[str, Words], chosen: str) -> None:
    settings = (f"stage.routers='{chosen}'", "simulation.measure_cycles=5000")
    hashes = set()
    for program in programs.values():
        for schedule in ("static", "process_per_stage"):
            found = results(program, *settings, f"simulation.schedule={schedule}")
            assert found["conservation"]["holds"]
            assert found["classes"][0]["accepted_flits_per_node_cycle"]["mean"] == pytest.approx(0.3, rel=0.05)
            hashes.add(found["packet_hash"])
    assert len(hashes) == 1


@pytest.mark.parametrize("way", ["plugin", "linked"])
def test_it_is_another_allocator(programs: dict[str, Words], way: str) -> None:
    own = results(programs[way])["packet_hash"]
    assert own != results(programs[way], "stage.switch_allocator=model")["packet_hash"]
