"""The driver of the seeded faults: its list, its order of tests and its arithmetic, on made-up input. (Not on
tb/mutations.toml: in a copy of the sources with a fault, these tests must not be what notices it.)"""

import itertools
import time
from pathlib import Path

import pytest
from braid_tools.digest import digest
from braid_tools.gates.mutation import __main__ as runner
from braid_tools.gates.mutation import faults as fault_list
from braid_tools.gates.mutation import fresh, shared, tree, worker
from braid_tools.gates.mutation import rows as outcome_rows
from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.tree import Test as ListedTest
from braid_tools.gates.shell import sh


def fault(name: str = "f", file: str = "models/a.cpp", old: str = "a < b", equivalent: str = "") -> Fault:
    return Fault(name, "what a user sees", file, old, "a <= b", equivalent)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for place in fault_list.PLACES:
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "models" / "a.cpp").write_text("a < b\n" + "//\n" * 40)  # 41 lines: a fault is due
    (tmp_path / "models" / "small.cpp").write_text("//\n" * 40)
    return tmp_path


def test_a_good_list_has_no_complaints(sources: Path) -> None:
    assert fault_list.complaints(sources, [fault()], {}) == []


@pytest.mark.parametrize(
    ("faults", "without", "words"),
    [
        ([fault(), fault()], {}, "name occurs twice"),
        ([fault(), fault("g", "models/no.cpp")], {}, "there is no models/no.cpp"),
        ([fault(), fault("g", "tb/tests/a.cpp")], {}, "is in none of"),
        ([fault(), fault("g", old="c")], {}, "occurs 0 times"),
        ([fault(), fault("g", old="//")], {}, "occurs 40 times"),
        ([fault(), fault("g", old="a <= b")], {}, "are the same"),
        ([], {}, "models/a.cpp: no fault"),
        ([fault()], {"models/a.cpp": "why"}, "both faults and a reason"),
        ([fault()], {"models/no.cpp": "why"}, "no such file"),
    ],
)
def test_what_is_wrong_is_said(sources: Path, faults: list[Fault], without: dict[str, str], words: str) -> None:
    assert any(words in line for line in fault_list.complaints(sources, faults, without))


def test_a_reason_stands_for_a_fault(sources: Path) -> None:
    assert fault_list.complaints(sources, [], {"models/a.cpp": "why"}) == []


def test_the_nearest_tests_are_those_of_the_folder() -> None:
    areas = [fault(file=f).area for f in ("routing/a.cpp", "traffic/a.h", "models/po2/a.cpp", "tb/braid/a.cpp")]
    assert areas == ["routing", "traffic", "models", "program"]
    assert fault(file="models/rtl/a.cpp").area == "rtl"


def test_near_tests_come_first_and_quick_ones_before_slow_ones() -> None:
    times = {"models.slow": 3.0, "routing.slow": 2.0, "models.quick": 0.1, "routing.quick": 1.0}
    near, far = worker.in_order([ListedTest(n, [], "", t) for n, t in times.items()], "routing")
    assert [t.name for t in near] == ["routing.quick", "routing.slow"]
    assert [t.name for t in far] == ["models.quick", "models.slow"]


def test_a_test_hangs_after_twenty_times_its_time_but_not_before_ten_seconds() -> None:
    limits = [ListedTest("t", [], "", seconds).limit for seconds in (0.01, 0.5, 1.0, 60.0)]
    assert limits == [10.0, 10.0, 20.0, 300.0]


def test_the_score_leaves_out_equivalent_and_invalid_faults() -> None:
    faults = [fault(name) for name in "abcd"] + [fault("e", equivalent="proof")]
    outcomes = {"a": ("t", "area"), "b": ("t", "rest"), "c": ("", ""), "d": ("", "build"), "e": ("", "")}
    rows = [{"name": n, "caught_by": by, "stage": stage} for n, (by, stage) in outcomes.items()]
    lines, score, survivors = outcome_rows.table(rows, faults)
    assert score == pytest.approx(2 / 3)  # a and b of a, b and c
    assert survivors == ["c"]
    assert lines[-1].split() == ["all", "5", "2", "1", "1", "1", "66.7%"]


def test_an_equivalent_fault_that_is_caught_counts_as_caught() -> None:
    rows = [{"name": "e", "caught_by": "t", "stage": "area"}]
    assert outcome_rows.table(rows, [fault("e", equivalent="proof")])[1] == 1.0


def test_rows_survive_a_restart(tmp_path: Path) -> None:
    row = dict.fromkeys(outcome_rows.COLUMNS, "x")
    outcome_rows.Rows(tmp_path / "f.csv").add(row)
    assert outcome_rows.Rows(tmp_path / "f.csv").rows == {"x": row}


def test_a_copy_leaves_equal_files_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "s", tmp_path / "t"
    source.mkdir()
    for name in ("same", "changed"):
        (source / name).write_text(name)
    tree.copy_changed(source, target)
    (target / "gone").write_text("left over")
    before = (target / "same").stat().st_mtime_ns
    (source / "changed").write_text("new")
    tree.copy_changed(source, target)
    assert sorted(p.name for p in target.iterdir()) == ["changed", "same"]
    assert (target / "changed").read_text() == "new"
    assert (target / "same").stat().st_mtime_ns == before


def test_a_command_that_hangs_ends_with_its_children(tmp_path: Path) -> None:
    begin = time.monotonic()
    done = sh(["sh", "-c", "sleep 60 & sleep 60"], tmp_path, 0.2)
    assert (done.how, time.monotonic() - begin < 30) == ("timeout", True)


def test_a_command_that_fails_says_so(tmp_path: Path) -> None:
    assert sh(["sh", "-c", "echo no; exit 3"], tmp_path).how == "failed"
    assert sh(["sh", "-c", "echo yes"], tmp_path).output == "yes\n"


def test_the_hash_knows_where_one_file_ends() -> None:
    assert digest(b"ab", b"c") != digest(b"a", b"bc")


LINES = {
    "  if (a < b) {": {"  if (a <= b) {", "  if (!(a < b)) {"},
    "  total += weight;": {"  total -= weight;", "  total = weight;", ""},
    "  return i + 1;": {"  return i - 1;", "  return i + 2;", "  return i + 0;"},
    '  say("a < 1");': {""},
    "  std::vector<int> v;": set(),
    "// a < b": set(),
    "#include <map>": set(),
    "  const bool on = true;  // 1 < 2": {"  const bool on = false;  // 1 < 2"},
    "  for (int i = 0; i < n; ++i) {": {
        "  for (int i = 1; i < n; ++i) {",
        "  for (int i = 0; i <= n; ++i) {",
        "  for (int i = 0; i < n; --i) {",
    },
}


@pytest.mark.parametrize("line", LINES)
def test_what_can_be_done_to_a_line(line: str) -> None:
    assert {change.line for change in fresh.changes(line)} == LINES[line]


@pytest.mark.parametrize(
    ("before", "whole"), [("", True), ("go();", True), ("if (a) {", True), ("}", True), ("else:", True), ("x =", False)]
)
def test_only_a_whole_statement_goes(before: str, whole: bool) -> None:
    gone = fresh.Change("a statement goes", "")
    assert (gone in fresh.changes("  f(a);", before)) == whole


def test_fresh_mutations_are_those_of_the_date(sources: Path) -> None:
    body = "".join(f"  x{i} = a{i} < b ? {i} : 7;\n" for i in range(40)) + "  twice += 1;\n" * 2
    (sources / "models" / "a.cpp").write_text(body)
    first, again, other = (
        list(itertools.islice(fresh.drawn(sources, date), 30)) for date in ("2026-11-25", "2026-11-25", "2026-11-26")
    )
    assert first == again != other
    assert len({(f.old, f.new) for f in first}) == 30
    assert fault_list.complaints(sources, first, {}) == [], "each text occurs once, and is another with the mutation"


def test_what_caught_the_neighbours_is_tried_first() -> None:
    faults = [
        fault(name, file)
        for name, file in zip("abcde", ["models/a.cpp"] * 3 + ["models/b.cpp", "routing/c.cpp"], strict=True)
    ]
    rows = {name: {"caught_by": by} for name, by in zip("abde", ["far", "near", "folder", "elsewhere"], strict=True)}
    assert outcome_rows.neighbours(faults[2], faults, rows) == ["near", "far", "folder"]
    assert outcome_rows.neighbours(faults[0], faults, rows) == ["near", "folder"], "not what caught itself"
    assert outcome_rows.neighbours(faults[4], faults, rows) == []


def test_outcomes_are_shared_until_their_tests_change(tmp_path: Path) -> None:
    for folder in ("tb/tests/models", "tb/tests/routing", "tb/tests/support", "tb/golden", "tb/python"):
        (tmp_path / folder).mkdir(parents=True)
    one = fault()
    row = dict.fromkeys(outcome_rows.COLUMNS, "x") | {
        "fault_hash": shared.hash_of(one, "a < b"),
        "caught_by": "models.A.B",
    }
    row["tests_hash"] = shared.Evidence(tmp_path).of("models.A.B")
    store = shared.Shared(tmp_path / "kept")
    store.add(row)

    def found() -> bool:
        return store.find(one, row["fault_hash"], shared.Evidence(tmp_path)) is not None

    assert found()
    (tmp_path / "tb/tests/routing/other_test.cpp").write_text("x")
    (tmp_path / "tb/golden/a.json").write_text("x")
    assert found(), "what did not catch it may change"
    (tmp_path / "tb/tests/models/a_test.cpp").write_text("x")
    assert not found()
    assert store.find(one, "another file", shared.Evidence(tmp_path)) is None
    survived = row | {"caught_by": "", "tests_hash": shared.Evidence(tmp_path).of("")}
    store.add(survived)
    assert found()
    (tmp_path / "tb/golden/b.json").write_text("x")
    assert not found(), "of a survivor any new test may catch it"


def test_a_fresh_mutation_that_is_argued_to_change_nothing_has_not_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.toml").write_text(
        '[[equal]]\nfile = "models/a.cpp"\nline = "int x = 0;"\nbecomes = "int x = 1;"\nwhy = "set before use"\n'
    )
    monkeypatch.setattr(runner, "LIST", tmp_path / "list.toml")
    changes = {"1": "  int x = 1;", "2": "  int x = 2;", "3": "  int x = 1;"}
    drawn = [
        Fault(f"fresh_d_{n}", n, "models/b.cpp" if n == "3" else "models/a.cpp", "{\n  int x = 0;", f"{{\n{new}")
        for n, new in changes.items()
    ]
    sheets = outcome_rows.Sheets(tmp_path)
    for one in drawn:
        row = dict.fromkeys(outcome_rows.COLUMNS, "") | {"name": one.name, "stage": "rest", "seconds": "0"}
        sheets.add(row)
    assert runner.fresh_summary("d", drawn, 3, sheets) == 1
    said = capsys.readouterr().out
    assert "d: 3 fresh mutations built, 0 caught, 1 change nothing, 2 escaped: 100.0%" in said
    assert "escaped: fresh_d_1" not in said


def test_an_argument_about_a_line_that_has_gone_is_a_complaint(sources: Path) -> None:
    there = fault_list.Equal("models/a.cpp", "a < b", "a <= b", "why")
    gone = fault_list.Equal("models/a.cpp", "a < c", "a <= c", "why")
    moved = fault_list.Equal("models/gone.cpp", "a < b", "a <= b", "why")
    assert fault_list.complaints_of_equal(sources, [there, gone, moved]) == [
        "[[equal]]: models/a.cpp has no line a < c",
        "[[equal]]: there is no models/gone.cpp",
    ]
