"""A new user's path, docs/tutorials/own-routing.md, from an empty folder to a page: every command, and their time."""

import json
import os
import sqlite3
import sys
import zlib
from pathlib import Path

from braid_tools.gates.user_project import SCRATCH, environment, follow
from braid_tools.program import ROOT

PAGE = ROOT / "docs" / "tutorials" / "own-routing.md"
MOST_SECONDS = 15 * 60


def test_the_commands_of_the_tutorial(installed: Path) -> None:
    folder = SCRATCH / "own_routing_page"
    python = {"BRAID_PYTHON": sys.executable, "PYTHONPATH": f"{ROOT / 'scripts'}:{os.environ.get('PYTHONPATH', '')}"}
    done = follow(PAGE, installed, folder, {**environment(), **python, "COLUMNS": "120"})
    assert sum(command.processor_seconds for command in done) < MOST_SECONDS
    with sqlite3.connect(folder / "mesh.sqlite") as store:
        found = [json.loads(zlib.decompress(text)) for (text,) in store.execute("select results from points")]
    assert len(found) == 15
    accepted: dict[str, float] = {}
    for results in found:
        algorithm = results["configuration"]["routing"]["algorithm"]
        one = results["classes"][0]["accepted_flits_per_node_cycle"]["mean"]
        accepted[algorithm] = max(accepted.get(algorithm, 0.0), one)
        plugins = [policy["name"] for plugin in results["plugins"] for policy in plugin["policies"]]
        assert plugins == ["one_turn_each"]
    assert accepted["one_turn_each"] > 1.1 * accepted["x_first"], "the claim of the page"
    assert "<h2>Latency and load</h2>" in (folder / "page.html").read_text()
