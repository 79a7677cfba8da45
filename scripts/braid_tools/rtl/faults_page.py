"""The table of docs/rtl.md of faults that were written from the RTL's text alone, from faults.json: for each the point,
bench or proof that saw it, the check, and where it has one the cycle.

Usage: python -m braid_tools.rtl.faults_page [--check]   --check: exit 1 if the page is not what the record says
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from braid_tools.program import ROOT

PAGE = ROOT / "docs" / "rtl.md"
RECORD = Path(__file__).with_name("faults.json")
BEGIN, END = "<!-- faults: python -m braid_tools.rtl.faults_page -->", "<!-- end of faults -->"

Row = dict[str, str]


def read() -> list[Row]:
    """The record, in the order of the list."""
    rows: list[Row] = json.loads(RECORD.read_text())
    return rows


def seen(row: Row) -> str:
    """What saw a fault, or why nothing can."""
    if "equivalent" in row:
        return f"no fault: {row['equivalent']}"
    check = {"assertion": "assertion", "lockstep": "lockstep", "proof": "proof", "cocotb": "reference"}
    what = check.get(row["check"], "test")
    return f"{what}: {row['detail'].removeprefix('the reference ')}" if row["detail"] else what


def table(rows: list[Row]) -> str:
    """Between the marks of the page."""
    caught = [row for row in rows if "equivalent" not in row]
    kinds = Counter(row["where"].split()[0] for row in caught)
    escaped = sum("escaped" in row for row in caught)
    known = sum("listed" in row for row in caught)
    head = (
        f"{len(rows)} faults, {len(caught)} caught, {len(rows) - len(caught)} that changes nothing. Of the caught "
        f"ones lockstep saw {kinds['point']}, a module's bench {kinds['bench']}, a proof {kinds['proof']}; "
        f"{known} were in the list already (=). {escaped} had escaped every check that was there before, "
        "as far as it was run (\\*): each has a check of its own now."
    )
    lines = [head, "", "| fault | file | where | seen by |", "|---|---|---|---|"]
    for row in rows:
        mark = (" =" if "listed" in row else "") + (" \\*" if "escaped" in row else "")
        cells = (row["fault"] + mark, f"`{row['file']}`", row.get("where", ""), seen(row))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def page(text: str, rows: list[Row]) -> str:
    """The page with its table."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table(rows)}\n{END}{rest.split(END)[1]}"


def main() -> int:
    """Writes the page, or checks it."""
    text = PAGE.read_text()
    wanted = page(text, read())
    if "--check" in sys.argv[1:]:
        return int(text != wanted)
    PAGE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
