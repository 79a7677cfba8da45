"""Rows of the RTL's seeded faults: what still holds is kept, what lives is tried again."""

import tomllib
from pathlib import Path

from braid_tools.program import ROOT
from braid_tools.rtl.files import HW
from braid_tools.rtl.mutation import POINT, Rows
from braid_tools.rtl.points import points


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


def test_every_fault_is_of_the_rtl_as_it_is() -> None:
    """A fault whose text is gone would end a nightly run, and nobody would have looked for it since."""
    faults = tomllib.loads((ROOT / "tb" / "lockstep" / "mutations.toml").read_text())["mutation"]
    assert [m["name"] for m in faults if (HW / m["file"]).read_text().count(m["from"]) != 1] == []
    assert [m["name"] for m in faults if m.get("point", POINT) not in points()] == []
    assert len({m["name"] for m in faults}) == len(faults) > 120
