"""What a gate counts, and what it leaves for a CI server."""

import sys
from pathlib import Path
from xml.etree import ElementTree

from braid_tools.gates import gate


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
    gates.run("Good, and quick", "true")
    gates.run("Python tests", sys.executable, "-m", "pytest", "-q", tests, count=gate.pytest_counts)
    gates.run("bad", "sh", "-c", "printf 'a < b\\033\\n'; exit 1")
    gates.run("never", "true")
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
    gates.run("tests", "sh", "-c", "echo no tests were found", count=gate.ctest_counts)
    assert gates.failed == 1
    assert suite(tmp_path / "tests.xml").findtext("testcase/failure") == "no tests were found\n"
