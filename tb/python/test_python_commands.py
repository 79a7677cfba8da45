"""Commands of Python: the program starts that Python with the package beside it, and says which program it is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from braid_tools.program import BRAID, bare_environment

# As much of the package as the program looks for; it says how it was started.
PACKAGE = {
    "__init__.py": "",
    "explore/__init__.py": "",
    "explore/command_line.py": "",
    "__main__.py": "import json, os, sys\n"
    "def main():\n"
    "    told = {name: os.environ[name] for name in ('BRAID_PROGRAM', 'PYTHONPATH')}\n"
    "    print(json.dumps(told | {'package': __file__, 'words': sys.argv[1:]}))\n"
    "    return 7\n",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder around a package with the program in it."""
    root = tmp_path_factory.mktemp("installed")
    for name, text in PACKAGE.items():
        file = root / "braid" / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)
    program = root / "braid" / "bin" / "braid"
    program.parent.mkdir()
    program.write_bytes(BRAID.read_bytes())
    program.chmod(0o755)
    return root


def call(program: Path, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {**bare_environment(), **environment}
    return subprocess.run([program, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def started(installed: Path, folder: Path, **environment: str) -> dict:
    environment = {"BRAID_PYTHON": sys.executable, **environment}
    program = installed / "braid" / "bin" / "braid"
    done = call(program, folder, "sweep", "my mesh.toml", "--seeds", "3", **environment)
    assert (done.returncode, done.stderr) == (7, "")
    told = json.loads(done.stdout)
    assert told["package"] == str(installed / "braid" / "__main__.py")
    assert told["words"] == ["sweep", "my mesh.toml", "--seeds", "3"]
    return told


def test_the_package_beside_the_program_runs_its_commands(installed: Path, tmp_path: Path) -> None:
    """Not one of the folder that the user is in; and what starts networks for it is the program that was started."""
    (tmp_path / "braid").mkdir()
    (tmp_path / "braid" / "__init__.py").write_text("raise SystemExit('another braid')")
    (tmp_path / "json.py").write_text("raise SystemExit('another json')")
    told = started(installed, tmp_path)
    assert told["BRAID_PROGRAM"] == str(installed / "braid" / "bin" / "braid")
    assert told["PYTHONPATH"] == str(installed)


def test_the_package_stands_before_what_the_user_named(installed: Path, tmp_path: Path) -> None:
    """Whose other packages stay; a program that is named stays, too."""
    told = started(installed, tmp_path, PYTHONPATH="/mine:/yours", BRAID_PROGRAM="/another/braid")
    assert told["PYTHONPATH"] == f"{installed}:/mine:/yours"
    assert told["BRAID_PROGRAM"] == "/another/braid"
    assert started(installed, tmp_path, PYTHONPATH="")["PYTHONPATH"] == str(installed)


def place_package(folder: Path) -> None:
    for name, text in PACKAGE.items():
        file = folder / "braid" / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(text)


def place_program(folder: Path) -> Path:
    folder.mkdir(parents=True)
    program = folder / "braid"
    program.write_bytes(BRAID.read_bytes())
    program.chmod(0o755)
    return program


def place_python(file: Path, name: str) -> None:
    """A Python that says its name first."""
    file.parent.mkdir(parents=True)
    file.write_text(f'#!/bin/sh\necho {name} >&2\nexec "{sys.executable}" "$@"\n')
    file.chmod(0o755)


def test_in_a_source_tree_scripts_and_its_own_python_are_taken(tmp_path: Path) -> None:
    """The program is two folders below the root; a package in the root itself would be that of an installation."""
    root = tmp_path / "tree"
    program = place_program(root / "build" / "release")
    place_package(root / "scripts")
    place_package(root)
    place_python(root / ".venv" / "bin" / "python", "own")
    done = call(program, tmp_path, "watch", "x.toml")
    assert (done.returncode, done.stderr) == (7, "own\n")
    told = json.loads(done.stdout)
    assert told["PYTHONPATH"] == str(root / "scripts")
    assert told["package"] == str(root / "scripts" / "braid" / "__main__.py")
    assert told["words"] == ["watch", "x.toml"]
    place_python(tmp_path / "named" / "python", "named")
    named = call(program, tmp_path, "watch", BRAID_PYTHON=str(tmp_path / "named" / "python"))
    assert (named.returncode, named.stderr) == (7, "named\n")
    assert call(program, tmp_path, "watch", BRAID_PYTHON="").stderr == "own\n", "an empty name names none"


def test_without_one_of_its_own_python3_of_the_path_is_taken(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    program = place_program(root / "build" / "release")
    place_package(root / "scripts")
    place_python(tmp_path / "bin" / "python3", "of the path")
    done = call(program, tmp_path, "report", PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert (done.returncode, done.stderr) == (7, "of the path\n")


def test_a_program_alone_says_what_is_missing(tmp_path: Path) -> None:
    """A folder scripts that holds no package of Braid's is somebody else's."""
    program = place_program(tmp_path / "a" / "b")
    (tmp_path / "scripts").mkdir()
    done = call(program, tmp_path, "-I", BRAID_PYTHON=sys.executable)
    assert done.returncode == 2, "no command of Python"
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    (tmp_path / "python").chmod(0o755)
    missing = call(program, tmp_path, "sweep", BRAID_PYTHON=str(tmp_path / "python"))
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith("braid: sweep needs the Python package braid: pip install braid-interconnect for ")
    assert missing.stderr.endswith(", or BRAID_PYTHON=another Python\n")
    nobody = call(program, tmp_path, "sweep", BRAID_PYTHON="/no/python")
    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert nobody.stderr == (
        "braid: sweep is a command of Python, and /no/python cannot be started: No such file or directory\n"
    )
