"""Every example experiment runs, and its results keep to the published schema; every command of the README works."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import jsonschema
import pytest
from braid_tools.program import BRAID, ROOT, braid

EXPERIMENTS = sorted((ROOT / "tb" / "experiments").glob("*.toml"))
SCHEMA = json.loads((ROOT / "docs" / "results.schema.json").read_text())
SHORT_KEYS = {"batch_cycles": 1000, "measure_cycles": 2000, "min_warmup_cycles": 1000, "max_warmup_cycles": 2000}
SHORT = [word for key, value in SHORT_KEYS.items() for word in ("--set", f"simulation.{key}={value}")]


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_example_is_good(path: Path) -> None:
    assert "good" in braid("check", path)


@pytest.mark.parametrize("path", [p for p in EXPERIMENTS if p.stem != "deadlock"], ids=lambda path: path.stem)
def test_example_keeps_to_the_schema(path: Path) -> None:
    own = ("--set", "simulation.min_warmup_cycles=0", "--set", "simulation.max_warmup_cycles=0")  # or the trace is over
    short = [*SHORT, *own] if "\n[replay]\n" in path.read_text() else SHORT
    result = json.loads(braid("run", path, *short, "--quiet", "--json", "-"))
    jsonschema.validate(result, SCHEMA)
    assert result["conservation"]["holds"]
    assert result["classes"]


def commands(text: str) -> list[str]:
    """Lines that start with `$ braid` in fenced blocks."""
    return re.findall(r"^\$ (braid .*)$", text, re.MULTILINE)


FOLLOWED = "index.md"  # one command after the other, with the pages behind the four doors (test_site)
DOCUMENTS = [ROOT / "README.md", *sorted(d for d in (ROOT / "docs").glob("*.md") if d.name != FOLLOWED)]
COMMANDS = [(d.name, c) for d in DOCUMENTS for c in commands(d.read_text())]


@pytest.mark.parametrize(("document", "command"), COMMANDS)
def test_documented_command_runs(document: str, command: str, tmp_path: Path) -> None:
    for folder in ("tb", "traffic"):
        if not (tmp_path / folder).exists():
            (tmp_path / folder).symlink_to(ROOT / folder)
    words = shlex.split(command.split("#")[0])
    if "--from" in words:
        made = f"--checkpoint {words[words.index('--from') + 1]}"
        earlier = next(c for d, c in COMMANDS if d == document and made in c)
        test_documented_command_runs(document, earlier, tmp_path)
    done = subprocess.run([str(BRAID), *words[1:]], cwd=tmp_path, capture_output=True, text=True, check=False)
    expected = 3 if "deadlock" in command else 0
    assert done.returncode == expected, f"{document}: {done.stderr}"
