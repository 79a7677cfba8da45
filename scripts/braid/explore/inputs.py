"""What `results`, `compare` and `report` read: stores of sweeps, and results files of single runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from braid.errors import InputError
from braid.explore.database import DONE, FAILED, Database, Row

EXPECTED = "expected a store of braid sweep, or results of braid run --json"


def _is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as e:
        raise InputError(f"{path}: cannot be read: {e.strerror}; {EXPECTED}") from None


def row_of_results(results: dict[str, Any], name: str) -> Row:
    """A results file as a row."""
    verdict = results.get("verdict")
    return Row(
        key=name,
        seed=results["seed"],
        version=results["version"],
        status=FAILED if verdict else DONE,
        message=verdict["text"] if verdict else "",
        command=name,
        configuration=results["configuration"],
        varied={},
        results=results,
        seconds=results.get("wall_seconds", 0.0),
        host="",
        finished="",
    )


#: Of what braid watch --series writes.
SERIES = (".csv", ".parquet")
COLUMNS = ("cycle", "delivered_flits", "latency_mean_cycles", "link_load_mean", "link_load_most", "buffered")


def series_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a time series. Raises InputError."""
    import pandas as pd

    expected = "expected what braid watch --series writes"
    try:
        table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
    except OSError as e:
        raise InputError(f"{path}: cannot be read: {e.strerror or e}; {expected}") from None
    except ValueError as e:
        raise InputError(f"{path}: is no table ({' '.join(str(e).split())}); {expected}") from None
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing or table.empty:
        what = f"has no column {missing[0]}" if missing else "has no line"
        raise InputError(f"{path}: {what}; {expected}")
    try:
        table = table[list(COLUMNS)].astype(float)
    except ValueError as e:
        raise InputError(f"{path}: {e}; {expected}") from None
    return table.astype(object).where(table.notna(), None).to_dict("records")


def rows_of(path: Path) -> list[Row]:
    """The rows of a file. Raises InputError."""
    if _is_sqlite(path):
        with Database(path, must_exist=True) as store:
            rows = list(store)
    else:
        try:
            rows = [row_of_results(json.loads(path.read_text()), str(path))]
        except (ValueError, KeyError, TypeError) as e:
            raise InputError(f"{path}: is neither ({type(e).__name__}: {e}); {EXPECTED}") from None
    if not rows:
        raise InputError(f"{path}: has no results yet")
    return rows
