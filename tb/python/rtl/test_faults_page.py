"""The page's table of faults is what the record says, and the list has every fault of the record."""

import tomllib

from braid_tools.program import ROOT
from braid_tools.rtl.cocotb_smoke import BENCHES
from braid_tools.rtl.faults_page import PAGE, page, read, table
from braid_tools.rtl.formal import proofs
from braid_tools.rtl.points import points


def test_the_page_is_what_the_record_says() -> None:
    assert PAGE.read_text() == page(PAGE.read_text(), read())


def test_every_fault_is_in_the_list_and_its_check_exists() -> None:
    faults = {m["name"] for m in tomllib.loads((ROOT / "tb" / "lockstep" / "mutations.toml").read_text())["mutation"]}
    rows = [row for row in read() if "equivalent" not in row]
    assert [row["name"] for row in rows if row["name"] not in faults] == []
    assert len(rows) >= 100
    named = {"point": set(points()), "bench": {bench.name for bench in BENCHES}, "proof": {p.name for p in proofs()}}
    for row in rows:
        kind, place = row["where"].split()
        assert any(name.startswith(place) for name in named[kind]), row
        assert row["check"], row


def test_a_fault_that_escaped_and_one_that_is_none_are_counted() -> None:
    seen = {"name": "a", "fault": "a | b", "file": "f.sv", "where": "point p", "check": "lockstep", "detail": "cycle 3"}
    rows = [seen, {**seen, "where": "proof q", "check": "proof", "escaped": "before this list"}]
    rows.append({"name": "", "fault": "c", "file": "f.sv", "equivalent": "nobody asks"})
    text = table(rows)
    assert text.startswith(
        "3 faults, 2 caught, 1 that changes nothing. Of the caught ones lockstep saw 1, a module's bench 0, a proof 1;"
    )
    assert " 1 had escaped" in text
    assert "| a \\| b | `f.sv` | point p | lockstep: cycle 3 |" in text
    assert "| c | `f.sv` |  | no fault: nobody asks |" in text
