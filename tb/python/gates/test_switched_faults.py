"""Faults that are together in one program: which tests run with which, in which order, and what is written down."""

import signal
import sys
from pathlib import Path

import pytest
from braid_tools import recorded
from braid_tools.gates.mutation import record, shared, switching, together, tree
from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.rows import Sheets, verdict
from braid_tools.gates.mutation.together import Reaching
from braid_tools.gates.mutation.tree import LIMITS
from braid_tools.gates.shell import Outcome, sh

SECONDS = {"quick": 0.1, "slow": 5.0, "golden.mesh": 0.5, "tb/python/test_x.py": 9.0}


def stage_of(name: str) -> str:
    return "golden" if name.startswith("golden") else "python" if "/" in name else "tests"


class Program:
    """Of three faults; what it runs is noted."""

    def __init__(self, reached: dict[str, set[int]], failing: set[tuple[str, int]]) -> None:
        self.numbers = {n: Fault(name, "", "README.md", "a", "b") for n, name in enumerate(("f", "g", "fresh_d_001"))}
        self.tests = [
            Reaching(name, [], "", seconds, frozenset(reached.get(name, set())), stage_of(name))
            for name, seconds in SECONDS.items()
        ]
        self.failing = failing
        self.ran: list[tuple[str, int]] = []

    def run(self, test: Reaching, scratch: str, **environment: str) -> Outcome:
        assert scratch == "tmp0"
        done = (test.name, int(environment["BRAID_SEEDED"]))
        self.ran.append(done)
        return Outcome("failed" if done in self.failing else "", "", 0.0)


class Kept:
    """Hashes of tests."""

    def of(self, caught_by: str) -> str:
        return f"of {caught_by}"


@pytest.fixture
def sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sheets:
    monkeypatch.setattr(switching, "Shared", lambda: shared.Shared(tmp_path / "shared"))
    monkeypatch.setattr(record, "PLACE", tmp_path / "none.csv")
    return Sheets(tmp_path)


def run(program: Program, sheets: Sheets) -> switching.Switching:
    near = list(program.numbers.values())
    found = switching.Switching(program, near, sheets, Kept(), float("inf"))  # type: ignore[arg-type]
    found.survived = [(number, 0.0) for number in program.numbers]
    for stages in switching.STAGES:
        found.stage(1, stages)
    found.write_survivors()
    return found


def test_only_tests_that_pass_a_fault_run_with_it_the_quickest_first(sheets: Sheets) -> None:
    program = Program({"slow": {0, 1}, "quick": {0}, "golden.mesh": {0}}, {("golden.mesh", 0)})
    run(program, sheets)
    assert program.ran == [("quick", 0), ("golden.mesh", 0), ("slow", 1)]
    assert [(r["caught_by"], r["stage"], verdict(r)) for r in sheets.rows.values()] == [
        ("golden.mesh", "golden", "caught"),
        ("", "rest", "survived"),
        ("", "rest", "survived"),
    ]
    assert sheets.rows["fresh_d_001"]["how"] == "no test passes it"
    assert sheets.rows["f"]["tests_hash"] == "of golden.mesh"


def test_a_file_of_tests_that_takes_minutes_has_minutes_more() -> None:
    assert [Reaching("t", [], "", s).limit for s in (0.1, 1.0, 20.0, 400.0)] == [10.0, 20.0, 360.0, 1500.0]


def test_what_caught_a_neighbour_comes_first(sheets: Sheets) -> None:
    everywhere = {name: {0, 1, 2} for name in SECONDS}
    program = Program(everywhere, {("slow", 0), ("slow", 1)})
    run(program, sheets)
    assert program.ran[:4] == [("quick", 0), ("golden.mesh", 0), ("slow", 0), ("slow", 1)]


def test_what_was_recorded_comes_before_all(sheets: Sheets, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run(Program({"slow": {0}}, {("slow", 0)}), sheets)
    path = tmp_path / "recorded.csv"
    faults = [Fault(name, "", "models/a.cpp", "a", "b", "proof" if name == "h" else "") for name in "fghi"]
    rows = dict(sheets.rows) | {"h": sheets.rows["g"] | {"name": "h"}}
    assert record.write(faults, rows, path) == 3
    assert record.write(faults[1:], {}, path) == 2, "of what is listed no more nothing stays"
    assert record.write(faults, rows, path) == 3
    assert [line["verdict"] for line in recorded.read(path)] == ["caught", "survived", "equivalent"]
    assert record.catchers(path) == {"f": "slow"}
    assert record.catchers(tmp_path / "none.csv") == {}
    monkeypatch.setattr(record, "PLACE", path)
    again = Program({name: {0} for name in SECONDS}, {("slow", 0)})
    run(again, Sheets(tmp_path / "elsewhere"))
    assert again.ran == [("slow", 0)]


def test_what_takes_long_waits_for_the_second_round(sheets: Sheets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switching, "FIRST_ROUND", -1.0)
    program = Program({name: {0, 1} for name in SECONDS}, {("slow", 0)})
    run(program, sheets)
    assert sheets.rows["f"]["caught_by"] == "slow"
    assert verdict(sheets.rows["g"]) == "survived"
    assert program.ran.count(("quick", 0)) == 1


def test_files_of_tests_in_python_run_when_all_others_have(sheets: Sheets) -> None:
    program = Program({name: {0, 1} for name in SECONDS}, {("tb/python/test_x.py", 0), ("slow", 1)})
    run(program, sheets)
    assert program.ran[-1] == ("tb/python/test_x.py", 0)
    assert ("tb/python/test_x.py", 1) not in program.ran
    assert [row["stage"] for row in sheets.rows.values()] == ["tests", "python", "rest"]


def test_each_night_has_a_sheet_of_its_own_which_is_read_again(sheets: Sheets, tmp_path: Path) -> None:
    run(Program({"quick": {0, 2}}, {("quick", 0), ("quick", 2)}), sheets)
    assert (tmp_path / "faults.csv").read_text().count("\n") == 3
    assert (tmp_path / "fresh_d.csv").read_text().count("\n") == 2
    again = Sheets(tmp_path)
    assert again.of("fresh_d_001").rows["fresh_d_001"]["caught_by"] == "quick"
    assert set(again.of("f").rows) == {"f", "g"}


def test_what_does_not_compile_is_taken_out_by_the_line_of_its_error(tmp_path: Path) -> None:
    faults = [Fault(f"f{i}", "", "models/a.cpp", f"a + {i}", f"a - {i}") for i in range(3)]
    program = together.Together(tmp_path, faults)
    program.inside = {0, 1, 2}
    texts = "\n".join(f"int f{i}(int a) {{\n  return a + {i};\n}}" for i in range(3))
    program.texts["models/a.cpp"], inside = together.with_switches(texts, program.numbers)
    assert inside == {0, 1, 2}
    lines = program.texts["models/a.cpp"].split("\n")
    line = next(i for i, text in enumerate(lines, 1) if "on(1)" in text)
    outputs = [f"{tmp_path}/src/models/a.cpp:{line}:7: error: no\n", f"../src/models/a.cpp:{line}:7: error: no\n"]
    assert program.drop(outputs[0]) == {program.key(1)}
    assert program.drop(outputs[1]) == set(), "it is gone: nothing is left that explains it"
    assert together.Together(tmp_path, faults).dropped == {program.key(1)}
    line_of_two = next(i for i, text in enumerate(lines, 1) if "on(2)" in text)
    mention = f"../src/models/a.cpp:{line_of_two}:7: note: here\n"
    program.dropped.clear()
    assert program.drop(outputs[0] + mention) == {program.key(1)}, "what is only mentioned stays"
    assert program.drop("/usr/include/c++/12/bits/x.h:3:1: error: no\n../src/models/a.cpp:9999:1: error: no\n") == {
        program.key(0),
        program.key(2),
    }


@pytest.mark.parametrize("name", [signal.SIGHUP, signal.SIGINT])
def test_tests_are_interrupted_where_the_night_is_not(name: signal.Signals, tmp_path: Path) -> None:
    before = signal.signal(name, signal.SIG_IGN)
    try:
        done = sh([*LIMITS, "sh", "-c", f"kill -{name.value} $$; echo goes on"], tmp_path, 10.0)
    finally:
        signal.signal(name, before)
    assert done.how == "failed"
    assert "goes on" not in done.output


def test_a_file_whose_one_test_fails_with_switches_is_asked_without_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    file = tmp_path / "copy" / "test_two.py"
    file.parent.mkdir()
    file.write_text(
        """import os
import pytest
def test_good(): open(os.environ["BRAID_SEEDED_REACHED"], "r+b").write(b"\\0\\1")
@pytest.mark.parametrize("word", ["a - b", "c"])
def test_bad(word): assert word == "c"
"""
    )
    faults = [Fault(name, "", "a.cpp", "a", "b") for name in "fg"]
    program = together.Together(tmp_path / "together", faults)
    program.place.mkdir()
    command = [sys.executable, "-m", "pytest", *together.ONE_FILE, file.name]
    test = Reaching("test_two.py", command, str(file.parent), stage="python")
    assert program.measure(test, "tmp0")
    assert test.without == ("test_two.py::test_bad",)
    assert test.reached == {1}, "what the good one passes"
    assert "--deselect=test_two.py::test_bad" in test.whole_command


def test_python_finds_what_was_built_in_the_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program and what `import braid` loads, where both are looked for; whatever Python the user has."""
    monkeypatch.setattr(tree, "sh", lambda *_: Outcome("", '{"tests": []}', 0.0))
    build = tmp_path / "build"
    (build / "python" / "braid").mkdir(parents=True)
    (build / "braid").write_text("")
    for _ in range(2):
        assert tree.listed_by_ctest(tmp_path / "src", build) == []
    there = tmp_path / "src" / "build" / "release"
    assert (there / "braid").is_file()
    assert (there / "python" / "braid").is_dir()
    assert tree.places(tmp_path / "src", build, tmp_path)["BRAID_PYTHON"] == sys.executable
