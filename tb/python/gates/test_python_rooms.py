"""The folder check of the Python package, on planted violations."""

from pathlib import Path

import pytest
from braid_tools.gates import python_rooms
from braid_tools.program import ROOT

ENTRY = "def main() -> int:\n    return 0\n"
PLANTED = {
    "room_to_room": (
        {"rtl/a": "from braid_tools.account.log import Log", "account/log": "Log = 1"},
        ["rtl/a imports account/log: rtl may not use account"],
    ),
    "paper_to_paper": (
        {"papers/sat/a": "from braid_tools.papers.po2 import points", "papers/po2/points": ""},
        ["papers/sat/a imports papers/po2/points: papers/sat may not use papers/po2"],
    ),
    "top_to_room": (
        {"study": "import braid_tools.peers.booksim", "peers/booksim": ""},
        ["study imports peers/booksim: study may not use peers"],
    ),
    "entry_point": (
        {"rtl/coverage": "def f():\n    from braid_tools.rtl import lockstep\n", "rtl/lockstep": ENTRY},
        ["rtl/coverage imports rtl/lockstep, an entry point"],
    ),
    "entry_point_by_guard": (
        {"a": "from braid_tools.b import c", "b": "import sys\nif __name__ == '__main__':\n    sys.exit(0)\n"},
        ["a imports b, an entry point"],
    ),
    "circle": (
        {"a": "from braid_tools import b", "b": "from braid_tools.c import d", "c": "from braid_tools import a"},
        ["circle of modules: "],
    ),
    "nothing": (
        {
            "reproduce": "from braid_tools import study\n" + ENTRY,
            "papers/sat/paper": "from braid_tools.papers.sat.points import x\nfrom braid_tools import study",
            "papers/sat/points": "import csv\nx = 1",
            "study": "",
        },
        [],
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_violation_is_named(tmp_path: Path, name: str) -> None:
    files, expected = PLANTED[name]
    for module, text in files.items():
        path = tmp_path / python_rooms.PACKAGE / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").write_text("")
        path.write_text(text)
    found = python_rooms.violations(tmp_path)
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))


def test_the_scripts_keep_to_their_rooms() -> None:
    assert python_rooms.violations(ROOT) == []


def test_every_room_of_the_table_exists() -> None:
    folder = ROOT / python_rooms.PACKAGE
    for user, rooms in python_rooms.MAY_USE.items():
        assert (folder / user).is_dir() or (folder / f"{user}.py").is_file()
        assert all((folder / room).is_dir() for room in rooms)
