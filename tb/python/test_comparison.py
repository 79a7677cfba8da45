"""Published figures beside measured ones."""

from pathlib import Path

from braid_tools import comparison


def test_verdicts() -> None:
    def row(measured: float, note: str = "") -> str:
        return comparison.Row("f", "q", "u", 100.0, measured, 0.05, note).verdict

    assert row(104.9) == "match"
    assert row(106.0) == "differs"
    assert row(106.0, "because") == "explained"


def test_comparison_keeps_every_row(tmp_path: Path) -> None:
    rows = [comparison.Row("f", "q", "u", 1.0, 2.0, 0.1), comparison.Row("f", "p", "u", 1.0, 1.0, 0.1)]
    comparison.write(tmp_path / "c.csv", rows)
    lines = (tmp_path / "c.csv").read_text().splitlines()
    assert lines[0] == "figure,quantity,unit,published,measured,ratio,tolerance,verdict,note"
    assert [line.split(",")[7] for line in lines[1:]] == ["differs", "match"]
