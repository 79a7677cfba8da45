"""An experiment from standard input: the same run, messages and relative names as of a file."""

import json
import subprocess
from pathlib import Path

from braid_tools.program import BRAID, ROOT, braid

BAD_INPUT = 2
MESH = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
SHORT = ["--quiet", "--json", "-", "--set", "simulation.measure_cycles=2000"]


def braid_of(text: str, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """`braid ARGUMENTS` with a text as its standard input."""
    command = [str(BRAID.absolute()), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=folder)


def test_it_is_the_same_experiment() -> None:
    of_file = braid_of("", "run", str(MESH), *SHORT)
    of_input = braid_of(MESH.read_text(), "run", "-", *SHORT)
    assert json.loads(of_input.stdout)["packet_hash"] == json.loads(of_file.stdout)["packet_hash"]


def test_messages_name_what_it_stands_for() -> None:
    wrong = '[topology]\nknid = "mesh"\n'
    done = braid_of(wrong, "check", "-", "--stdin-filename", "here/mine.toml")
    assert done.returncode == BAD_INPUT
    assert done.stderr.startswith('braid: here/mine.toml:2:1: unknown key in [topology] "knid"')
    assert braid_of(wrong, "check", "-").stderr.startswith("braid: standard input:2:1: unknown key")


def test_relative_names_start_where_the_file_would_be(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    braid("new", "streams", tmp_path / "deep" / "streams.toml")
    text = (tmp_path / "deep" / "streams.toml").read_text()
    good = braid_of(text, "check", "-", "--stdin-filename", "deep/mine.toml", folder=tmp_path)
    assert good.returncode == 0, good.stderr
    lost = braid_of(text, "check", "-", folder=tmp_path)
    assert lost.returncode == BAD_INPUT
    assert "streams.str" in lost.stderr


def test_the_name_without_the_input_is_refused() -> None:
    done = braid_of("", "check", str(MESH), "--stdin-filename", "mine.toml")
    assert done.returncode == BAD_INPUT
    assert "--stdin-filename: expected - in the experiment's place" in done.stderr
