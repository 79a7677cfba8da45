"""The rows of each study that are known to differ from what is published, with the value measured and the reason:
differs.csv beside the study. A row more, a row less or another value, and the study's exit status is 1."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from braid_tools.comparison import Row, Verdict

HERE = Path(__file__).parent
COLUMNS = ["key", "quick", "full", "why"]
NEAR = 0.01  # relative, of the value that was recorded: runs of the same program and seed give the same
NO_REASON = "no reason known"


@dataclass
class Known:
    """A row that differs: the values recorded of a quick and of a full run, none where it is not in one."""

    quick: str = ""
    full: str = ""
    why: str = NO_REASON

    def value(self, *, quick: bool) -> str:
        """As recorded."""
        return self.quick if quick else self.full


def file_of(study: str, here: Path = HERE) -> Path:
    """Beside paper.py, or beside the peer's module."""
    room = here / "papers" / study
    return room / "differs.csv" if room.is_dir() else here / "peers" / f"{study}_differs.csv"


def read(path: Path) -> dict[str, Known]:
    """By row key; of no file none."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {line.pop("key"): Known(**line) for line in csv.DictReader(file)}


def is_near(row: Row, recorded: str) -> bool:
    """Not if either is no number."""
    return bool(recorded) and abs(row.measured - float(recorded)) <= NEAR * abs(float(recorded))


def complaints(rows: Iterable[Row], known: dict[str, Known], *, quick: bool) -> list[str]:
    """What is not as it is written down."""
    rows = list(rows)
    wrong = [f"two rows of this name: {key}" for key, n in Counter(row.key for row in rows).items() if n > 1]
    differing = [row for row in rows if row.verdict == Verdict.DIFFERS]
    for row in differing:
        here = known.get(row.key)
        recorded = here.value(quick=quick) if here else ""
        if not is_near(row, recorded):
            was = f"recorded {recorded}" if recorded else "not recorded"
            wrong.append(f"differs: {row.key}: {row.measured:.6g}, published {row.published:.6g}, {was}")
    keys = {row.key for row in differing}
    wrong += [f"differs no more: {key}" for key, k in known.items() if k.value(quick=quick) and key not in keys]
    return wrong


def record(path: Path, rows: Iterable[Row], *, quick: bool) -> None:
    """Writes down the values of this run; reasons that are there stay, others are the rows' notes."""
    known = read(path)
    for one in known.values():
        setattr(one, "quick" if quick else "full", "")
    for row in rows:
        if row.verdict != Verdict.DIFFERS:
            continue
        one = known.setdefault(row.key, Known(why=row.note or NO_REASON))
        setattr(one, "quick" if quick else "full", f"{row.measured:.6g}")
    if not any(one.quick or one.full for one in known.values()):
        path.unlink(missing_ok=True)
        return
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        out.writerows([key, k.quick, k.full, k.why] for key, k in sorted(known.items()) if k.quick or k.full)
