"""A small mesh, and the program's commands."""

import signal
import subprocess
from pathlib import Path

import pytest
from braid.explore import command_line
from braid_tools.program import BRAID
from small_mesh import MESH, Braid, environment


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    """An experiment in the folder of the test."""
    file = tmp_path / "mesh.toml"
    file.write_text(MESH)
    return file


@pytest.fixture
def braid_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Braid:
    """Runs `braid WORDS` in the folder of the test: commands of Python in this process, for Python takes a second to
    begin; the way to them from the program has tests of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        line = list(map(str, words))
        if line[0] in command_line.COMMANDS and "--help" not in line:
            before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
            capfd.readouterr()
            code = command_line.run(line)
            out, err = capfd.readouterr()
            for number, handler in before:
                signal.signal(number, handler)
            done = subprocess.CompletedProcess(line, code, out, err)
        else:
            command = [str(BRAID.absolute()), *line]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment(), timeout=120)
        assert done.returncode == status, f"{done.returncode}: {done.stdout}{done.stderr}"
        return done

    return run
