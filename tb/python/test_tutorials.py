"""Every tutorial's commands, one after the other in one folder, as a reader would type them."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from braid_tools.program import BRAID, ROOT

#: Those that need the installed package are followed by tb/python/package/test_own_routing_page.py.
TUTORIALS = [
    page for page in sorted((ROOT / "docs" / "tutorials").glob("*.md")) if "cmake --install" not in page.read_text()
]
COMMAND = re.compile(r"^\$ (.*<<'END'\n(?:.*\n)*?END|.*)$", re.MULTILINE)


def run(command: str, folder: Path) -> str:
    """What the command prints, in a shell that finds braid."""
    path = f"{BRAID.absolute().parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_its_commands_work(page: Path, tmp_path: Path) -> None:
    commands = COMMAND.findall(page.read_text())
    assert len(commands) >= 5
    for command in commands:
        run(command, tmp_path)


def test_the_own_network_has_the_bottleneck_that_the_page_names(tmp_path: Path) -> None:
    page = next(page for page in TUTORIALS if page.stem == "own-network")
    commands = COMMAND.findall(page.read_text())
    assert len(commands) == 8, "ten with scripts/run and the path"
    for command in commands:
        run(command, tmp_path)
    busy = json.loads((tmp_path / "busy.json").read_text())
    assert busy["saturated"]
    assert busy["classes"][0]["accepted_flits_per_node_cycle"]["mean"] < 0.56
    loads = sorted((link["packet_flits_per_cycle"], link["router"], link["port"]) for link in busy["links"])
    assert {loads[-1][1:], loads[-2][1:]} == {("l1", "to_r1"), ("r1", "to_l1")}
    assert loads[-2][0] > 0.9
    assert loads[-3][0] < 0.6
    mesh = json.loads((tmp_path / "loads.json").read_text())["packet_loads"]
    assert max(link["load"] for link in mesh) == pytest.approx(1.8, rel=0.1)
