"""Published figures beside measured ones: no row passes whatever is measured."""

import csv
import math
import random
from pathlib import Path

import pytest
from braid_tools import comparison, known
from braid_tools.comparison import Explanation, Kind, Row, Verdict

BECAUSE = Explanation("because", 120.0, 5.0)


def row(measured: float | None, explanation: Explanation | None = None, **more: object) -> Row:
    return Row("f", "q", "u", 100.0, measured, 0.05, explanation=explanation, **more)


def test_verdicts() -> None:
    assert row(104.9).verdict == Verdict.MATCH
    assert row(106.0).verdict == Verdict.DIFFERS
    assert row(106.0, note="because").verdict == Verdict.DIFFERS, "a sentence explains nothing"
    assert row(124.9, BECAUSE).verdict == Verdict.EXPLAINED
    assert row(125.1, BECAUSE).verdict == row(110.0, BECAUSE).verdict == row(math.nan, BECAUSE).verdict == "differs"
    assert row(None).verdict == Verdict.NOT_MEASURED


def test_bounds_and_ranges() -> None:
    assert [row(value, at_most=True).verdict for value in (0.0, 105.0, 105.1, -0.1)] == ["match"] * 2 + ["differs"] * 2
    between = [row(value, most=200.0, quote="one to two").verdict for value in (94.9, 95.0, 205.0, 205.1)]
    assert between == ["differs", "match", "match", "differs"]


def test_an_effect_within_the_tolerance_is_too_small_to_test() -> None:
    assert Row("f", "q", "1", 1.05, 1.0, 0.06, no_effect=1).verdict == Verdict.TOO_SMALL
    assert Row("f", "q", "1", 1.05, 1.2, 0.06, no_effect=1).verdict == Verdict.DIFFERS
    assert Row("f", "q", "1", 1.2, 1.19, 0.06, no_effect=1).verdict == Verdict.MATCH


def test_an_explanation_does_not_allow_anything() -> None:
    for predicted, band in ((math.nan, 1.0), (120.0, math.inf)):
        with pytest.raises(ValueError, match="predicts anything"):
            row(120.5, Explanation("anything", predicted, band))


def drawn(dice: random.Random) -> Row:
    """Of any kind."""
    published = dice.choice([0.0, 1.0, dice.uniform(-5, 5), 10 ** dice.uniform(-3, 5)])
    said = Explanation("why", dice.uniform(-10, 10), dice.choice([0.0, dice.uniform(0, 5)]))
    return Row(
        "f", "q", "u", published, dice.choice([None, 1.0]), dice.choice([0.0, 0.1, 1.0]),
        note=dice.choice(["", "note"]), at_most=dice.random() < 0.3, explanation=dice.choice([None, said]),
        no_effect=dice.choice([None, 0.0, 1.0]), most=dice.choice([None, published + 1]),
    )  # fmt: skip


def test_no_row_survives_planted_values() -> None:
    dice = random.Random(35)
    rows = [drawn(dice) for _ in range(2000)]
    assert all(len(list(comparison.planted(one))) >= 4 for one in rows)
    assert comparison.survivors(rows) == []


def test_planted_values_are_found_where_a_row_takes_them() -> None:
    class Lenient(Row):
        @property
        def verdict(self) -> Verdict:
            return Verdict.EXPLAINED if self.note else super().verdict

    found = comparison.survivors([Lenient("f", "q", "u", 100.0, 1.0, 0.05, "note"), row(1.0)])
    assert [one.measured for one in found[:2]] == [1e6, -1e6]
    assert {type(one) for one in found} == {Lenient}


def test_comparison_keeps_every_row(tmp_path: Path) -> None:
    rows = [row(200.0), row(100.0), row(None), row(123.0, BECAUSE, quote="said")]
    comparison.write(tmp_path / "c.csv", rows)
    with (tmp_path / "c.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == comparison.COLUMNS
    assert [line["verdict"] for line in lines] == ["differs", "match", "not measured", "explained"]
    assert [lines[3][column] for column in ("kind", "predicted", "band", "why")] == [
        "sentence",
        "120.0",
        "5.0",
        "because",
    ]


def test_kinds_are_counted_apart() -> None:
    rows = [row(100.0), row(1.0), row(100.0, quote="similar"), row(100.0, stated_kind=Kind.INPUT)]
    rows.append(Row("beyond the paper", "q", "u", 1.0, 1.0, 0.1))
    said = ["number: 1 match, 1 differs", "sentence: 1 match", "input: 1 match", "own: 1 match"]
    assert list(comparison.summary(rows)) == said


def test_a_row_is_known_by_what_stands_outside_parentheses() -> None:
    assert Row("f", "a (1.5 (two) 3) b (4)", "u", 1.0, 1.0, 0.1).key == "f: a b"


def test_rows_of_one_name_are_not_told_apart() -> None:
    same = [Row("f", "a (1)", "u", 1.0, 9.0, 0.1), Row("f", "a (2)", "u", 1.0, 9.0, 0.1)]
    assert "two rows of this name: f: a" in known.complaints(same, {"f: a": known.Known("", "9")}, quick=False)


def test_intervals_over_seeds_are_those_of_the_rows_own_key() -> None:
    rows = [row(100.0), Row("f", "other", "u", 1.0, 1.0, 0.1), Row("f", "not everywhere", "u", 1.0, 1.0, 0.1)]
    others = [[row(110.0), rows[1]], [Row("f", "not everywhere", "u", 1.0, math.nan, 0.1), rows[1], row(90.0)]]
    moved, still, alone = comparison.with_seeds(rows, others)
    assert moved.over_seeds == (100.0, 110.0, 90.0)
    assert moved.seed_half_width == pytest.approx(4.303 * 10 / math.sqrt(3), rel=1e-3)  # Student's t of two degrees
    assert moved.verdict == Verdict.MATCH, "of this run's own value"
    assert (still.seed_half_width, alone.seed_half_width) == (0.0, None)


def test_a_row_that_scatters_by_more_than_its_tolerance_is_counted(tmp_path: Path) -> None:
    quiet, loud = ([[row(100.0 + d)], [row(100.0 - d)], [row(100.0)]] for d in (0.5, 4.0))
    assert not comparison.with_seeds(quiet[0], quiet[1:])[0].is_wide  # 100 +- 2.15 of 95 to 105
    found = comparison.with_seeds(loud[0], loud[1:])
    assert found[0].is_wide
    assert "over seeds: 1 rows move, 1 of them by more than their tolerance" in list(comparison.summary(found))
    comparison.write(tmp_path / "c.csv", found)
    with (tmp_path / "c.csv").open(newline="") as file:
        line = next(csv.DictReader(file))
    assert (line["seeds"], float(line["seed_mean"])) == ("3", 100.0)
