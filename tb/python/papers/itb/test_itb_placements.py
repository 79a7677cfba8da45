"""How far the search for few in-transit buffers is from the fewest, as rows and as the page's table."""

from collections.abc import Callable
from pathlib import Path

import pytest
from braid_tools.comparison import Verdict
from braid_tools.papers.itb import placement_table, placements
from braid_tools.papers.itb.placements import Placement
from braid_tools.program import Run
from braid_tools.study import Study

HEAD = "# braid, a date, a command\r\nswitches,topology,paths,minimum,violations,fewest,proven\r\n"
KEPT = HEAD + "16,0,RANDOM,21,60,20,True\r\n16,1,RANDOM,20,50,20,True\r\n32,0,BALANCED,190,360,182,False\r\n"
KEPT += "32,1,BALANCED,200,350,,False\r\n"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "placements.csv"
    file.write_text(KEPT)
    monkeypatch.setattr(placement_table, "KEPT", file)


@pytest.mark.usefixtures("kept")
def test_the_table_has_sums_and_says_how_far_they_are_where_all_are_proven() -> None:
    assert placement_table.table() == ["| RANDOM | 16 | 110 | 41 (+2.5 %) | 40 |", "| BALANCED | 32 | 710 | 390 |  |"]


@pytest.mark.usefixtures("kept")
def test_of_32_switches_the_first_network_is_beside_its_bound() -> None:
    found = placement_table.figures()
    assert (found["balanced_first"], found["balanced_bound"], found["balanced_over"]) == ("190", "182", "4")
    assert found["balanced_minimum_a_message"] == f"{0.97 * 390 / (2 * 992):.2f}"


def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, minimum: Callable[[int], int]) -> list[Verdict]:
    def placed(_: Study, switches: int, instance: int, name: str, __: str) -> Placement:
        return Placement(switches, instance, name, minimum(switches), 100, 20, proven=switches == 16)

    monkeypatch.setattr(placements, "placed", placed)
    study = Study("itb", results=tmp_path)
    return [row.verdict for row in placements.placement_rows(study, (16, 32, 64), 10)]


def test_sizes_without_bounds_have_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows(tmp_path, monkeypatch, lambda _: 21) == 6 * [Verdict.MATCH]


def test_a_search_that_is_far_above_the_fewest_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = rows(tmp_path, monkeypatch, lambda switches: 21 if switches == 16 else 22)
    assert found == 3 * [Verdict.MATCH] + 3 * [Verdict.DIFFERS]


def test_beyond_the_bounded_networks_no_proof_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def buffers(run: Run) -> int:
        asked.append(run.settings["routing.in_transit"])
        return 20

    monkeypatch.setattr(placements, "buffers", buffers)
    monkeypatch.setattr(Study, "_program", lambda _: "a program")
    study = Study("itb", results=tmp_path)
    first = placements.placed(study, 32, 0, "BALANCED", "balanced")
    second = placements.placed(study, 32, 1, "BALANCED", "balanced")
    assert (first.fewest, first.proven, second.fewest, second.proven) == (20, True, None, False)
    assert asked == ["minimum", "up_down", "fewest", "minimum", "up_down"]
