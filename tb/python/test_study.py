"""What a study keeps, and what it says last; on a made-up program that writes down each of its runs."""

import math
from pathlib import Path
from typing import Any

import pytest
from braid_tools import known, program
from braid_tools.comparison import Explanation, Row
from braid_tools.program import BraidError, Run
from braid_tools.study import Study

PROGRAM = """#!/bin/sh
echo "$*" >> $0.log
case "$*" in
  *a.deadlock=*) echo "braid: deadlock: no flit has moved" >&2; exit 3;;
  *a.wrong=*) echo "braid: unknown key" >&2; exit 2;;
esac
sleep 0.0$(echo "$*" | tr -dc 1-9 | cut -c1)
echo "{\\"said\\": \\"$*\\"}"
"""


class Bench:
    """A folder with a program, an experiment and results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.experiment = folder / "e.toml"
        self.experiment.write_text('[a]\nb = 1\n[stream]\ngraph = "graph.toml"\n')
        (folder / "graph.toml").write_text("graph")
        self.program = folder / "braid"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def study(self) -> Study:
        return Study("paper", results=self.folder / "results")

    def job(self, **settings: Any) -> Run:
        return Run(str(settings), self.experiment, {f"a.{key}": value for key, value in settings.items()})

    def runs(self) -> int:
        """How often the program has run."""
        log = self.folder / "braid.log"
        return len(log.read_text().splitlines()) if log.exists() else 0


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(tmp_path)
    monkeypatch.setattr(program, "BRAID", made.program)
    return made


def test_results_come_in_the_order_of_the_jobs(bench: Bench) -> None:
    jobs = [bench.job(c=9 - i) for i in range(9)]
    said = [result["said"] for result in bench.study().run(jobs)]
    assert [line.split("a.c=")[1].split()[0] for line in said] == list("987654321")


def test_a_run_is_kept_for_the_next_study(bench: Bench) -> None:
    first = bench.study().run([bench.job(c=1), bench.job(c=2), bench.job(c=1)])
    assert bench.runs() == 2
    assert bench.study().run([bench.job(c=1), bench.job(c=2), bench.job(c=1)]) == first
    assert bench.runs() == 2


def test_a_key_counts_wherever_it_stands(bench: Bench) -> None:
    bench.study().run([bench.job(b=1), bench.job()])
    assert bench.runs() == 1
    bench.study().run([bench.job(b=2)])
    assert bench.runs() == 2


@pytest.mark.parametrize(
    ("file", "text"), [("braid", PROGRAM + "\n"), ("e.toml", "[a]\nb = 2\n"), ("graph.toml", "another graph")]
)
def test_what_a_run_depends_on_makes_it_run_again(bench: Bench, file: str, text: str) -> None:
    bench.study().run([bench.job()])
    (bench.folder / file).write_text(text)
    bench.study().run([bench.job()])
    assert bench.runs() == 2


def test_what_was_run_before_an_error_is_kept(bench: Bench) -> None:
    with pytest.raises(BraidError, match=r"^\{'wrong': 1\}: braid: unknown key$"):
        bench.study().run([bench.job(c=1), bench.job(wrong=1)])
    assert bench.runs() == 2
    bench.study().run([bench.job(c=1)])
    assert bench.runs() == 2
    with pytest.raises(BraidError):
        bench.study().run([bench.job(wrong=1)])
    assert bench.runs() == 3


def test_a_deadlock_is_an_outcome_where_it_is_asked_for(bench: Bench) -> None:
    for _ in range(2):
        good, dead = bench.study().outcomes([bench.job(c=1), bench.job(deadlock=1)])
        assert "a.c=1" in good["said"]
        assert str(dead).endswith("braid: deadlock: no flit has moved")
    assert bench.runs() == 2
    with pytest.raises(BraidError, match="deadlock"):
        bench.study().run([bench.job(deadlock=1)])


def test_the_verdict_names_what_differs(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    study = bench.study()
    assert study.verdict() == 1, "a study without rows has shown nothing"
    because = Explanation("because", 2.1, 0.2)
    good = [Row("f", "a", "u", 1.0, 1.0, 0.1), Row("f", "b", "u", 1.0, 2.0, 0.1, explanation=because)]
    study.compare(good)
    assert study.verdict() == 0
    study.compare([*good, Row("figure 2", "latency", "u", 1.0, 2.0, 0.1)])
    capsys.readouterr()
    assert study.verdict() == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "3 rows in results/paper/comparison.csv",
        "  number: 1 match, 1 explained, 1 differs",
    ]
    assert said.err == "differs: figure 2: latency: 2, published 1, not recorded\n"
    assert len((study.folder / "comparison.csv").read_text().splitlines()) == 4


def test_what_is_known_to_differ_fails_with_another_value_or_none(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(known, "file_of", lambda _: bench.folder / "differs.csv")
    study = bench.study()
    study.kept_rows = bench.folder / "docs" / "paper.csv"
    monkeypatch.setattr(program, "braid", lambda *_: "braid 0.1.0\n")

    def verdict(measured: float) -> int:
        study.compare([Row("f", "a (1.0)", "u", 1.0, 1.0, 0.1), Row("f", "b (2.0)", "u", 1.0, measured, 0.1, "why")])
        return study.verdict()

    assert verdict(2.0) == 1
    study.table("of_pages.csv", ["x"], [[1]], for_pages=True)
    study.table("others.csv", ["x"], [[2]])
    study.record()
    kept = study.kept_rows.parent
    assert (kept / "paper_of_pages.csv").read_text().splitlines()[1:] == ["x", "1"]
    assert sorted(file.name for file in kept.iterdir()) == ["paper.csv", "paper_of_pages.csv"]
    assert known.read(bench.folder / "differs.csv")["f: b"].why == "why"
    made, *lines = study.kept_rows.read_text().splitlines()
    assert made.startswith("# braid 0.1.0, 20")
    assert len(lines) == 3
    assert [verdict(value) for value in (2.0, 2.019, 2.021, 1.979, 1e6, -1e6, math.nan, 1.0)] == [0, 0] + [1] * 6
    assert "differs no more: f: b" in capsys.readouterr().err
    study.quick = True
    assert verdict(2.0) == 1, "recorded of full runs only"


def test_a_table_has_its_columns(bench: Bench) -> None:
    study = bench.study()
    study.table("more.csv", ["x", "y"], [[1, "a, b"], (2, None)])
    assert (study.folder / "more.csv").read_text() == 'x,y\n1,"a, b"\n2,\n'


def test_other_values_are_kept_until_the_program_the_key_or_a_file_changes(bench: Bench) -> None:
    made: list[int] = []

    def kept(key: str) -> Any:
        return bench.study().kept(key, [bench.folder / "graph.toml"], lambda: made.append(1) or {"made": len(made)})

    assert [kept("a"), kept("a"), kept("b")] == [{"made": 1}, {"made": 1}, {"made": 2}]
    (bench.folder / "graph.toml").write_text("another")
    assert kept("a") == {"made": 3}
    bench.program.write_text(PROGRAM + "# another\n")
    assert kept("a") == {"made": 4}


def test_another_draw_has_other_seeds_and_keeps_its_own_runs(bench: Bench) -> None:
    study = bench.study()
    other = study.another(2)
    assert "experiment.seed" not in study.run([bench.job(c=1)])[0]["said"]
    assert "experiment.seed=2001" in other.run([bench.job(c=1)])[0]["said"]
    own = Run("own", bench.experiment, {"experiment.seed": 7})
    assert "experiment.seed=2007" in other.run([own])[0]["said"]
    assert other.kept("drawn", [bench.experiment], lambda: 2) == 2
    assert study.kept("drawn", [bench.experiment], lambda: 1) == 1
    study.compare([Row("f", "q", "u", 1.0, 1.0, 0.1)])
    other.compare([Row("f", "q", "u", 1.0, 3.0, 0.1)])
    study.over_seeds([other])
    assert study.rows[0].over_seeds == (1.0, 3.0)
    assert "1.0,3.0" not in (study.folder / "comparison.csv").read_text()
    assert "2,2.0," in (study.folder / "comparison.csv").read_text()
