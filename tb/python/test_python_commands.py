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


def started(installed: Path, folder: Path, **environment: str) -> dict:
    done = subprocess.run(
        [installed / "braid" / "bin" / "braid", "sweep", "my mesh.toml", "--seeds", "3"],
        cwd=folder,
        env={**bare_environment(), "BRAID_PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
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
