"""scripts/reproduce all: every study, one page."""

import math
import re
import shutil
import sys
from pathlib import Path

import pytest
from braid_tools import program, reproduce, study
from braid_tools.comparison import Row
from braid_tools.overview import Reproduced, counts, figures_of, overview, published_beside_measured
from braid_tools.site.browser import Browser


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


def numbers() -> list[Row]:
    """Of two figures, of which one is in two units; the last three are none that a picture shows."""
    return [
        Row("Figure 1", "latency at 0.1", "cycles", 100.0, 103.0, 0.05),
        Row("Figure 1", "latency at 0.2", "cycles", 200.0, 300.0, 0.05),
        Row("Figure 1", "gain", "factor", 1.5, 1.52, 0.1),
        Row("Figure 2", "range", "cycles", 10.0, 14.0, 0.0, most=15.0),
        Row("Figure 2", "falls", "holds", 1.0, 1.0, 0.0),
        Row("Figure 2", "not run", "cycles", 1.0, None, 0.0),
        Row("Figure 2", "no number", "cycles", 1.0, math.nan, 0.0),
    ]


def test_published_points_lie_under_what_was_measured() -> None:
    shown = [[row.quantity for row in rows] for rows in figures_of(numbers())]
    assert shown == [["latency at 0.1", "latency at 0.2"], ["gain"], ["range"]]
    claim, picture = published_beside_measured(numbers()[:2])
    assert claim == "Figure 1: 1 of 2 published figures are met or explained"
    assert picture.axes.get_yscale() == "linear"
    drawn = {line.get_label(): line.get_xydata().tolist() for line in picture.axes.lines}
    assert drawn["published"] == [[0, 100], [1, 200]]
    assert drawn["measured"] == [[0, 103]]
    assert drawn["measured, differs"] == [[1, 300]]
    text = overview([Reproduced("one", numbers(), as_known=True)], "v")
    tips = re.findall(r'data-tip="([^"]*)"', text)
    assert "latency at 0.2: published 200 cycles" in tips
    assert "latency at 0.2: measured 300 cycles, published 200: differs" in tips
    assert sum("latency at 0.1" in tip for tip in tips) == 2
    assert not [tip for tip in tips if "falls" in tip or "not run" in tip or "no number" in tip]


def test_a_figure_of_very_many_rows_says_how_many_it_draws() -> None:
    many = [Row("Table", f"row {n}", "cycles", 1.0 + n, 1.0 + n, 0.05) for n in range(1000)]
    claim, picture = published_beside_measured(many)
    assert claim.endswith("1000 of 1000 published figures are met or explained; 150 are drawn")
    assert len(overview([Reproduced("one", many)], "v").encode()) < 1_000_000
    assert max(x for x, _ in picture.axes.lines[-1].get_xydata()) == 999
    assert picture.axes.get_yscale() == "log", "from 1 to 1000"


@pytest.mark.skipif(
    shutil.which("chromium") is None, reason="needs the package chromium, as scripts/nightly site has it"
)
def test_in_the_browser_published_points_are_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(overview([Reproduced("one", numbers(), as_known=True)], "v"))
    with Browser() as browser:
        browser.open((tmp_path / "page.html").as_uri())
        assert browser.wait_for("document.querySelectorAll('figure svg').length == 3")
        mark = "[...document.querySelectorAll('[data-tip]')].find(m => m.dataset.tip.includes('0.2: published'))"
        hover = "(m => {m.dispatchEvent(new MouseEvent('mousemove', {bubbles: true})); return tip.textContent})"
        assert browser.wait_for(f"{hover}({mark})") == "latency at 0.2: published 200 cycles"
        assert browser.wait_for(f"{mark}.getBoundingClientRect().width > 3")


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
