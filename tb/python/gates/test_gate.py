"""What a gate counts, and what it leaves for a CI server."""

import sys
import time
from graphlib import CycleError
from pathlib import Path
from xml.etree import ElementTree

import pytest
from braid_tools.gates import __main__ as plan
from braid_tools.gates import gate
from braid_tools.gates.gate import Gate
from braid_tools.program import ROOT

TESTS = ROOT / "tb" / "tests"


def test_counts() -> None:
    assert gate.ctest_counts("98% tests passed, 4 tests failed out of 194") == (190, 4)
    assert gate.ctest_counts("no summary") == (0, 1)
    assert gate.pytest_counts("...\n5 passed, 1 failed in 0.1s") == (5, 1)


def suite(file: Path) -> ElementTree.Element:
    """The one suite of a JUnit file."""
    suites = ElementTree.parse(file).getroot()
    assert suites.tag == "testsuites"
    assert len(suites) == 1
    return suites[0]


def test_every_gate_leaves_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "results" / "junit"
    folder.mkdir(parents=True)
    (folder / "of_yesterday.xml").touch()
    tests = tmp_path / "test_two.py"
    tests.write_text("def test_a(): pass\ndef test_b(): assert 1 == 1\n")
    gates = gate.Gates(folder)
    good_gate = Gate("Good, and quick", ("true",))
    pytest_gate = Gate("Python tests", (sys.executable, "-m", "pytest", "-q", tests), gate.pytest_counts)
    bad_gate = Gate("bad", ("sh", "-c", "printf 'a < b\\033\\n'; exit 1"), after=("Python tests", good_gate.title))
    gates.run([bad_gate, good_gate, pytest_gate, Gate("never", ("true",), after=("bad",))])
    assert (gates.passed, gates.failed) == (3, 1)
    assert sorted(f.name for f in folder.iterdir()) == ["bad.xml", "good_and_quick.xml", "python_tests.xml"]
    good, bad = suite(folder / "good_and_quick.xml"), suite(folder / "bad.xml")
    assert (good.attrib["name"], good.attrib["tests"], good.attrib["failures"]) == ("Good, and quick", "1", "0")
    assert float(good.attrib["time"]) < 60
    assert good.find("testcase/failure") is None
    assert bad.attrib["failures"] == "1"
    assert bad.findtext("testcase/failure") == "a < b?\n"
    assert [case.attrib["name"] for case in suite(folder / "python_tests.xml")] == ["test_a", "test_b"]


def test_a_command_that_wrote_no_file_of_its_own_gets_one(tmp_path: Path) -> None:
    gates = gate.Gates(tmp_path)
    gates.run([Gate("tests", ("sh", "-c", "echo no tests were found"), gate.ctest_counts)])
    assert gates.failed == 1
    assert suite(tmp_path / "tests.xml").findtext("testcase/failure") == "no tests were found\n"


def in_shell(title: str, line: str, *after: str) -> Gate:
    """A gate of a line for the shell."""
    return Gate(title, ("sh", "-c", line), after=after)


def test_two_gates_run_at_a_time_and_no_gate_before_those_it_waits_for(tmp_path: Path) -> None:
    """Each of the first two ends only when the other has begun; the others look at what must have passed."""
    folder = tmp_path / "marks"
    folder.mkdir()
    until = f"cd {folder}; i=0; while [ ! -e %s ]; do sleep 0.02; i=$((i + 1)); [ $i -lt 1000 ] || exit 1; done"
    gates = gate.Gates(tmp_path / "junit")
    gates.run(
        [
            in_shell("last", f"cd {folder}; [ -e a ] && [ -e b ] && [ -e third ]", "third", "b"),
            in_shell("a", f"touch {folder}/a; {until % 'b'}"),
            in_shell("b", f"touch {folder}/b; {until % 'a'}"),
            in_shell("third", f"cd {folder}; [ -e a ] && touch third", "a"),
        ]
    )
    assert (gates.passed, gates.failed) == (4, 0)


def test_what_needs_a_gate_that_failed_is_not_run_and_all_else_is(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    gates = gate.Gates(tmp_path)
    gates.run(
        [
            in_shell("bad", "echo why; exit 4"),
            in_shell("behind it", "touch nowhere", "bad"),
            in_shell("far behind it", "touch nowhere", "other", "behind it"),
            in_shell("other", "true"),
            in_shell("worse", "echo and this; exit 5", "other"),
            in_shell("good", "true", "other"),
        ]
    )
    assert (gates.passed, gates.failed) == (2, 2)
    said = capsys.readouterr().out
    assert "why" in said
    assert "and this" in said
    assert "== behind it\n   not run, for it needs: bad\n" in said
    assert "== far behind it\n   not run, for it needs: behind it\n" in said
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.xml", "good.xml", "other.xml", "worse.xml"]


class InterruptedGates(gate.Gates):
    """Ctrl-C comes as soon as the gate called "quick" has ended."""

    def _run(self, one: Gate) -> bool:
        passed = super()._run(one)
        if one.title == "quick":
            raise KeyboardInterrupt
        return passed


def test_an_interrupt_ends_what_runs(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    gates = InterruptedGates(tmp_path)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        gates.run([in_shell("slow", "sleep 60 & wait"), in_shell("quick", "true"), in_shell("never", "true")])
    assert time.monotonic() - begin < 30
    assert "slow" not in capsys.readouterr().out
    assert [file.name for file in tmp_path.iterdir()] == ["quick.xml"]


def test_the_time_of_processors_is_added(tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    gates = gate.Gates(tmp_path / "junit")
    gates.run([Gate(f"busy {n}", (sys.executable, "-c", busy)) for n in range(2)])
    assert 0.6 <= gates.processor_seconds < 30


def test_the_reference_of_the_compiler_takes_time() -> None:
    assert all(seconds > 0.1 for seconds in plan.references(1))


def test_what_can_never_run_is_refused(tmp_path: Path) -> None:
    gates = gate.Gates(tmp_path)
    with pytest.raises(ValueError, match="no gate is called 'nobody'"):
        gates.run([in_shell("a", "true", "nobody")])
    with pytest.raises(CycleError):
        gates.run([in_shell("a", "true", "b"), in_shell("b", "true", "a")])


def test_every_folder_of_cases_has_a_gate() -> None:
    folders = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("*_test.cpp")}
    assert folders == set(plan.AREAS)
    commands = {" ".join(map(str, one.command)) for one in plan.built(thorough=False)}
    assert {" ".join(map(str, plan.cases(area))) for area in folders} <= commands
    gates = {one.title: one for one in plan.built(thorough=True)}
    for area in folders - set(plan.SANITIZED_AREAS):
        assert gates[f"tests of {area}"].command == plan.cases(area)
    for area in plan.SANITIZED_AREAS:
        first, again = gates[plan.with_sanitizers(area)], gates[f"{area} that sanitizers cut short"]
        assert first.command[-1] == again.command[-1], "the list that one writes the other reads"
        assert first.title in again.after


def test_one_build_after_the_other_and_all_else_behind_them() -> None:
    for thorough, last in ((True, plan.SANITIZED), (False, plan.BUILD)):
        gates = plan.built(thorough=thorough)
        after = {one.title: one.after for one in gates}
        assert after.pop(plan.BUILD) == ()
        if thorough:
            assert after.pop(plan.SANITIZED) == (plan.BUILD,)
        assert {first for first, *_ in after.values()} == {last}
