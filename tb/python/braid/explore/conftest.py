"""A small mesh, and the program as users start it."""

import subprocess
from pathlib import Path

import pytest
from braid_tools.program import BRAID
from small_mesh import MESH, Braid, environment


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    """An experiment in the folder of the test."""
    file = tmp_path / "mesh.toml"
    file.write_text(MESH)
    return file


@pytest.fixture
def braid_here(tmp_path: Path) -> Braid:
    """Runs `braid WORDS` in the folder of the test."""

    def run(*words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        command = [str(BRAID.absolute()), *map(str, words)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment(), timeout=120
        )
        assert done.returncode == status, f"{done.returncode}: {done.stdout}{done.stderr}"
        return done

    return run
