"""What became of the seeded faults: a row each, a table by folder."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from braid_tools.gates.mutation.faults import Fault

COLUMNS = ["name", "what", "file", "caught_by", "how", "stage", "seconds", "build_seconds", "fault_hash", "tests_hash"]
Row = dict[str, Any]


def verdict(row: Row) -> str:
    """ "caught", "survived" or "invalid"."""
    return "invalid" if row["stage"] == "build" else "caught" if row["caught_by"] else "survived"


def judged(fault: Fault, row: Row) -> str:
    """The verdict, but "equivalent" where a proof says that no test could notice, and none did."""
    kind = verdict(row)
    return "equivalent" if kind == "survived" and fault.equivalent else kind


def table(rows: Iterable[Row], faults: list[Fault]) -> tuple[list[str], float, list[str]]:
    """(lines by folder, score, names of the survivors that no proof excuses)."""
    by_name = {fault.name: fault for fault in faults}
    counts: dict[str, dict[str, int]] = {}
    survivors = []
    for row in rows:
        fault = by_name[row["name"]]
        kind = judged(fault, row)
        if kind == "survived":
            survivors.append(fault.name)
        for folder in (fault.folder, "all"):
            here = counts.setdefault(folder, dict.fromkeys(("caught", "survived", "equivalent", "invalid"), 0))
            here[kind] += 1
    lines = [f"{'folder':28}{'faults':>8}{'caught':>8}{'equiv.':>8}{'invalid':>8}{'alive':>8}{'score':>8}"]
    score = 0.0
    for folder in sorted(counts, key=lambda f: (f == "all", f)):
        c = counts[folder]
        score = c["caught"] / max(1, c["caught"] + c["survived"])
        numbers = [sum(c.values()), c["caught"], c["equivalent"], c["invalid"], c["survived"]]
        lines.append(f"{folder:28}" + "".join(f"{n:8}" for n in numbers) + f"{score:8.1%}")
    return lines, score, survivors


NEIGHBOURS = 4  # tests at most that a fault tries first


def neighbours(fault: Fault, faults: list[Fault], rows: dict[str, Row]) -> list[str]:
    """Names of the tests that caught the faults nearest to this one: first those of its file, by their distance in the
    list, then those of its folder."""
    names = [f.name for f in faults]
    here = names.index(fault.name) if fault.name in names else len(names)
    near = [(f.file != fault.file, abs(i - here), f.name) for i, f in enumerate(faults) if f.folder == fault.folder]
    caught = [rows[name]["caught_by"] for _, _, name in sorted(near) if name != fault.name and name in rows]
    return list(dict.fromkeys(name for name in caught if name))[:NEIGHBOURS]


class Rows:
    """The CSV file, written as soon as a row is known, by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.rows: dict[str, Row] = {}
        if path.is_file():
            with path.open(newline="") as file:
                self.rows = {row["name"]: row for row in csv.DictReader(file)}

    def add(self, row: Row) -> None:
        """Replaces or appends one row and writes all."""
        with self.lock:
            self.rows[row["name"]] = row
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            with fresh.open("w", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS)
                writer.writeheader()
                writer.writerows(self.rows.values())
            fresh.replace(self.path)
            detail = f"{row['caught_by']} ({row['how']}, {row['stage']})" if row["caught_by"] else row["how"] or "ALIVE"
            print(f"{row['seconds']:>6} s  {row['name']:44} {detail}", flush=True)


class Sheets:
    """The rows of the list and of each night's fresh mutations, each in its own file of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sheets: dict[str, Rows] = {}

    def of(self, name: str) -> Rows:
        """The sheet of a fault: faults.csv, or fresh_DATE.csv of fresh_DATE_NUMBER."""
        sheet = name.rsplit("_", 1)[0] if name.startswith("fresh_") else "faults"
        if sheet not in self.sheets:
            self.sheets[sheet] = Rows(self.folder / f"{sheet}.csv")
        return self.sheets[sheet]

    @property
    def rows(self) -> dict[str, Row]:
        """All of the sheets that were asked for."""
        return {name: row for sheet in list(self.sheets.values()) for name, row in list(sheet.rows.items())}

    def add(self, row: Row) -> None:
        """To its sheet."""
        self.of(row["name"]).add(row)
