"""What became of the listed faults when they last ran, in the repository (docs/results/faults.csv): the figures of
docs/testing.md, and the test that each fault tries first on a machine that has run none of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from braid_tools import recorded
from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.rows import Row, judged
from braid_tools.program import ROOT

PLACE = ROOT / "docs" / "results" / "faults.csv"
COMMAND = "python -m braid_tools.gates.mutation --record"


@dataclass(frozen=True)
class Recorded:
    """One fault: caught, survived, equivalent (argued so, and no test sees it) or invalid (does not compile)."""

    name: str
    folder: str
    verdict: str
    caught_by: str
    how: str
    stage: str


def recorded_of(fault: Fault, row: Row) -> Recorded:
    """A fault's line, of its row."""
    how = row["how"] if row["caught_by"] else ""
    return Recorded(fault.name, fault.folder, judged(fault, row), row["caught_by"], how, row["stage"])


def write(faults: Iterable[Fault], rows: dict[str, Row], path: Path) -> int:
    """The faults that have a row, in the order of the list; what was recorded of another stays while it is listed.
    Returns how many lines there are."""
    before = {line["name"]: Recorded(**line) for line in recorded.read(path)} if path.is_file() else {}
    lines = []
    for fault in faults:
        if fault.name in rows:
            lines.append(recorded_of(fault, rows[fault.name]))
        elif fault.name in before:
            lines.append(before[fault.name])
    if lines:
        recorded.write(path, lines, COMMAND)
    return len(lines)


def catchers(path: Path) -> dict[str, str]:
    """Fault -> the test that caught it."""
    if not path.is_file():
        return {}
    return {line["name"]: line["caught_by"] for line in recorded.read(path) if line["caught_by"]}
