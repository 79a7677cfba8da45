"""The tables of docs/tentacle.md say what the recorded files say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from braid_tools import pages, recorded
from braid_tools.papers.tentacle import page


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the recorded files that a test may change."""
    for file in page.RESULTS.glob("tentacle_*.csv"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(page, "RESULTS", tmp_path)
    page.lines.cache_clear()
    yield tmp_path
    page.lines.cache_clear()


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_every_table_of_the_page_is_marked() -> None:
    text = (pages.DOCS / "tentacle.md").read_text()
    assert {key for _, key in pages.TABLE.findall(text)} == set(page.TABLES)


def test_saturation_is_over_push_adaptive(planted: Path) -> None:
    """By hand from the file: ChannelVocoder on 6x6 has 3.94 pushed, 10 on circuits, 4.93 on the ideal network."""
    [row] = [row for row in page.saturation_table(page.MITS) if row.startswith("| ChannelVocoder, 6x6 ")]
    assert row == "| ChannelVocoder, 6x6 | 3.9 | 0.69 | 0.89 | 0.68 | 2.54 | 1.25 | 2.54 | 2.54 |"
    change(
        planted / "tentacle_throughputs.csv",
        "MIT's graphs,own rates,actors,4,4,ChannelVocoder,6,2.7200,3.5200,2.6700,3.9400,10.0000,4.9300",
        "MIT's graphs,own rates,actors,4,4,ChannelVocoder,6,2.7200,3.5200,2.6700,3.9400,10.0000,7.8800",
    )
    page.lines.cache_clear()
    [row] = [row for row in page.saturation_table(page.MITS) if row.startswith("| ChannelVocoder, 6x6 ")]
    assert row.split(" | ")[6] == "2.00"


def test_a_mean_is_geometric_and_of_the_papers_class(planted: Path) -> None:
    """Five high-contention programs on 6x6, of which one gains 2.538 and the others nothing: 2.538 ** (1 / 5)."""
    assert page.mean_gain(page.MITS, 6, "high", page.TENTACLE) == pytest.approx((10 / 3.94) ** (1 / 5), rel=1e-3)
    assert page.gain_table()[1].split(" | ")[3] == "1.20"


def test_the_nearest_reading_comes_first_and_the_published_last() -> None:
    rows = page.distance_table()
    apart = [float(row.split(" | ")[-1].rstrip(" |")) for row in rows[:-1]]
    assert apart == sorted(apart)
    assert len(rows) == 2 * 6 + 1  # what streams carry, bandwidths
    assert rows[-1].startswith("| published | 1.55 / 1.64 |")


def test_a_remedy_is_one_name_in_files_and_tables() -> None:
    said = {page.short(r["remedy"]) for r in page.lines("remedies")}
    assert {"none", "at most 2, new layout", "at most 2, new layout, long", "at most 3, 7/8, new layout"} <= said
    assert not any("Braid" in one or "moves" in one for one in said)


def test_a_program_without_circuits_is_said() -> None:
    found = recorded.read(page.RESULTS / "tentacle_remedies.csv")
    none = {(r["benchmark"], r["size"]) for r in found if r["graphs"] == page.MITS} - {
        (b, str(size)) for b, size in page.standing(page.MITS)
    }
    assert none == {("FMRadio", "4"), ("FMRadio", "6"), ("FilterBank", "6")}
    assert sum(row.count("**none stands**") for row in page.remedy_table()) == len(none)
