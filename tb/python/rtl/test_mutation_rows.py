"""Rows of the RTL's seeded faults: what still holds is kept, what lives is tried again."""

from pathlib import Path

from braid_tools.rtl.mutation import Rows


def test_rows_hold_as_long_as_nothing_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "mutations.csv"
    rows = Rows(file, {"a": "1", "b": "1", "c": "1"})
    rows.add("c", "what", "lockstep", "cycle 7")
    rows.add("a", "what", "assertion", "fifo.sv")
    rows.add("b", "what", "", "")
    assert [line.split(",")[0] for line in file.read_text().splitlines()] == ["name", "a", "b", "c"]
    assert list(Rows(file, {"a": "1", "b": "1", "c": "1"}).kept) == ["a", "c"]
    assert list(Rows(file, {"a": "2", "b": "1", "c": "1"}).kept) == ["c"]
    assert Rows(file, {"a": "2"}).kept == {}


def test_rows_of_an_older_form_are_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "mutations.csv"
    file.write_text("name,fault,caught by,detail\na,what,assertion,fifo.sv\n")
    assert Rows(file, {"a": "1"}).kept == {}
