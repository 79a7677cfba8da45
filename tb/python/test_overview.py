"""scripts/reproduce all: every study, one page."""

import sys
from pathlib import Path

import pytest
from braid_tools import program, reproduce, study
from braid_tools.comparison import Row
from braid_tools.overview import Reproduced, counts, overview


def row(measured: float) -> Row:
    return Row("Figure 1", "latency", "cycles", 100.0, measured, 0.05)


def test_the_page_has_counts_rows_and_plots(tmp_path: Path) -> None:
    plot = tmp_path / "curve.png"
    plot.write_bytes(b"\x89PNG...")
    text = overview(
        [Reproduced("one", [row(101), row(99), row(150)], [plot], as_known=True), Reproduced("two", error="no <way>")],
        "v",
    )
    assert counts([row(101), row(99), row(150)]) == [2, 0, 1, 0, 0]
    assert "<h2>one</h2>" in text
    assert "data:image/png;base64,iVBORy4uLg==" in text
    assert "no &lt;way&gt;" in text
    assert text.count('<tr class="marked">') == 2, "the row that differs, the study that ended early"


def test_all_goes_on_after_a_study_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up studies: one matches, one cannot run."""
    (tmp_path / "good_study.py").write_text(
        "from braid_tools.comparison import Row\n"
        "def reproduce(s): s.compare([Row('Figure 1', 'latency', 'cycles', 100.0, 101.0, 0.05)])\n"
    )
    (tmp_path / "bad_study.py").write_text(
        "from braid_tools.program import BraidError\ndef reproduce(s): raise BraidError('no such network')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(reproduce, "studies", lambda: {"bad": "bad_study", "good": "good_study"})
    monkeypatch.setattr(reproduce, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(
        reproduce, "Study", lambda name, quick: study.Study(name, quick=quick, results=tmp_path / "results")
    )
    monkeypatch.setattr(program, "braid", lambda *_: "braid 1")
    monkeypatch.setattr(sys, "argv", ["reproduce", "all", "--quick"])
    assert reproduce.main() == 1
    page = (tmp_path / "results" / "all" / "index.html").read_text()
    assert "no such network" in page
    assert "1 match" in page
