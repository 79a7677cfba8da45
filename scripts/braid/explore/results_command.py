"""braid results: lists, filters and exports a store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from braid.errors import BraidError, InputError
from braid.experiment import flat
from braid.explore.columns import usual_columns
from braid.explore.command_line import Arguments, printed
from braid.explore.database import FAILED, Row
from braid.explore.inputs import rows_of
from braid.explore.rows import figures_of, frame, groups, in_order, table
from braid.explore.where import Condition, nearest


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("results")
    parser.add_argument("store", metavar="STORE", type=Path)
    parser.add_argument("--where", action="append", default=[])
    parser.add_argument("--columns")
    for name in ("csv", "parquet", "json"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--quiet", "-q", action="store_true")
    return parser


def values_of(row: Row) -> dict[str, Any]:
    """What conditions know of a row: keys, figures, seed, status."""
    figures = figures_of(row.results) if row.results is not None else {}
    known = {**figures, **flat(row.configuration)}
    return known | {"seed": row.seed, "status": row.status, "version": row.version, "seconds": row.seconds}


def chosen(rows: Sequence[Row], conditions: Sequence[str]) -> list[Row]:
    """The rows for which all conditions hold. Raises InputError of a name that no row has."""
    tests = [Condition(text, "--where") for text in conditions]
    if not tests:
        return list(rows)
    known = [values_of(row) for row in rows]
    names = set().union(*known)
    for test in tests:
        test.check(names)
    return [row for row, values in zip(rows, known, strict=True) if all(test.holds(values) for test in tests)]


def _columns(words: argparse.Namespace, rows: Sequence[Row]) -> list[str] | None:
    if words.columns is None:
        return None
    names = [name.strip() for name in words.columns.split(",")]
    known = set().union(*(figures_of(row.results) for row in rows if row.results is not None))
    for name in names:
        if name not in known:
            raise InputError(f'--columns: no figure is called "{name}"{nearest(name, known)}')
    return names


def _export(rows: Sequence[Row], words: argparse.Namespace) -> None:
    if words.csv is None and words.parquet is None and words.json is None:
        return
    data = frame(rows)
    if words.csv is not None:
        data.to_csv(sys.stdout if str(words.csv) == "-" else words.csv, index=False)
    if words.json is not None:
        text = data.to_json(orient="records", indent=1, double_precision=15) + "\n"
        if str(words.json) == "-":
            print(text, end="")
        else:
            words.json.write_text(text)
    if words.parquet is not None:
        try:
            data.to_parquet(words.parquet, index=False)
        except ImportError:
            raise BraidError("--parquet needs pyarrow: pip install 'braid-interconnect[explore]'") from None


def main(line: list[str]) -> int:
    """Entry point; the words behind `braid results`."""
    words = arguments().parsed(line)
    rows = chosen(rows_of(words.store), words.where)
    columns = _columns(words, rows)
    _export(rows, words)
    if words.quiet or "-" in (str(words.csv), str(words.json)):
        return 0
    some = in_order(groups(rows))
    if not some:
        print("no result is left: --where holds for none")
        return 0
    printed(table(some, columns or usual_columns(some)))
    failed = [row for row in rows if row.status == FAILED]
    print(f"{len(rows)} results of {len(some)} configurations, {len(failed)} failed")
    for row in failed:
        print(f"failed: {row.message}\n  {row.command}")
    return 0
