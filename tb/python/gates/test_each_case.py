"""A test program of which one case fails, one is killed, one is skipped: tb/tests/support/each_case.cpp counts them."""

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from braid_tools.gates.gate import case_counts
from braid_tools.gates.user_project import COMPILER
from braid_tools.program import ROOT

CASES = """
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include "tb/tests/support/sanitized.h"
const braid::test::Asked kYes(true);
const bool asked_for_all = kYes;  // before any case
int runs = 0;  // a case that sees another's is not in a process of its own
TEST(Good, First) { EXPECT_EQ(++runs, 1); }
TEST(Good, Second) { EXPECT_EQ(++runs, 1); }
TEST(Good, IsSkipped) { GTEST_SKIP() << "not here"; }
TEST(Good, DoesLess) { if (kYes) EXPECT_EQ(++runs, 1); }
TEST(Bad, DoesLessAndFails) { EXPECT_FALSE(kYes); }
TEST(Bad, Fails) { std::puts("a < b & c"); FAIL() << "on purpose"; }
TEST(Bad, IsKilled) { std::abort(); }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("each_case")
    (folder / "cases.cpp").write_text(CASES)
    sources = [folder / "cases.cpp", ROOT / "tb" / "tests" / "support" / "each_case.cpp"]
    made = folder / "cases"
    command = [*COMPILER, "-std=c++17", f"-I{ROOT}", *sources, "-lgtest", "-lpthread", "-o", made]
    subprocess.run(command, check=True)
    return made


def test_each_case_is_counted_and_in_the_junit_file(program: Path, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    done = subprocess.run([program, "--output-junit", file], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert case_counts(done.stdout) == (4, 3)
    assert "---- Bad.Fails: exit status 1" in done.stdout
    assert "---- Bad.IsKilled: signal 6" in done.stdout
    assert "on purpose" in done.stdout
    assert "not here" not in done.stdout, "only what failed is shown"
    suite = ElementTree.parse(file).getroot()[0]
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("7", "3")
    names = {(case.attrib["classname"], case.attrib["name"]): case.findtext("failure") for case in suite}
    assert {name for name, failure in names.items() if failure is None} == {
        ("Good", "First"), ("Good", "Second"), ("Good", "IsSkipped"), ("Good", "DoesLess")
    }  # fmt: skip
    assert "a < b & c" in (names["Bad", "Fails"] or "")


def test_with_a_filter_the_cases_run_here(program: Path) -> None:
    done = subprocess.run([program, "--gtest_filter=Good.*"], capture_output=True, text=True, check=False)
    assert done.returncode == 1, "the second sees the first"
    assert "[  PASSED  ] 1 test." in done.stdout, done.stdout


def test_those_cut_short_are_told_and_run_again(program: Path, tmp_path: Path) -> None:
    file = tmp_path / "cut_short.txt"
    subprocess.run([program, "--cut-short", file], capture_output=True, check=False)
    assert file.read_text() == "Good.DoesLess\n", "what fails is not run again"
    again = subprocess.run([program, "--only", file], capture_output=True, text=True, check=False)
    assert (again.returncode, case_counts(again.stdout)) == (0, (1, 0))


def test_a_list_that_is_not_there_is_no_success(program: Path, tmp_path: Path) -> None:
    done = subprocess.run([program, "--only", tmp_path / "none.txt"], capture_output=True, text=True, check=False)
    assert (done.returncode, case_counts(done.stdout)) == (2, (0, 1))
