"""A store of results: one SQLite file, a row a point, under a hash of all that decides its figures."""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from braid.errors import InputError

APPLICATION = 0x42724964  # "BrId": what SQLite's header says of the file
SCHEMA = 1
DONE, FAILED = "done", "failed"

_TABLE = """
CREATE TABLE points (
  key TEXT PRIMARY KEY,        -- hash of configuration, files that it names, program
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,       -- braid --version
  status TEXT NOT NULL,        -- done, failed
  message TEXT NOT NULL,       -- of a point that failed
  command TEXT NOT NULL,       -- that runs the point by itself
  configuration TEXT NOT NULL, -- JSON, every key
  varied TEXT NOT NULL,        -- JSON, the keys that the sweep varied
  results BLOB,                -- JSON of braid run, compressed (zlib)
  seconds REAL NOT NULL,
  host TEXT NOT NULL,
  finished TEXT NOT NULL       -- UTC
)
"""


@dataclass(frozen=True)
class Row:
    """A point that has ended."""

    key: str
    seed: int
    version: str
    status: str
    message: str
    command: str
    configuration: dict[str, dict[str, Any]]
    varied: dict[str, Any]
    results: dict[str, Any] | None
    seconds: float
    host: str
    finished: str


_COLUMNS = ", ".join(Row.__dataclass_fields__)


def _row(values: tuple[Any, ...]) -> Row:
    named = dict(zip(Row.__dataclass_fields__, values, strict=True))
    named["configuration"] = json.loads(named["configuration"])
    named["varied"] = json.loads(named["varied"])
    named["results"] = json.loads(zlib.decompress(named["results"])) if named["results"] else None
    return Row(**named)


class Database:
    """The store. Several threads and several processes may use it at once; a row is there whole or not at all."""

    def __init__(self, file: Path | None, *, must_exist: bool = False) -> None:
        """`file`: None keeps everything in memory."""
        self.file = file
        self._lock = threading.Lock()
        if file is not None and must_exist and not file.is_file():
            raise InputError(f"{file}: is not there: expected a store that braid sweep has written")
        try:
            self._connection = sqlite3.connect(file or ":memory:", timeout=60, check_same_thread=False)
            self._prepare()
        except sqlite3.Error as e:
            raise InputError(f"{file}: is no store of results ({e}): expected one that braid sweep writes") from None

    def _prepare(self) -> None:
        with self._connection as c:
            c.execute("BEGIN IMMEDIATE")
            application = c.execute("PRAGMA application_id").fetchone()[0]
            version = c.execute("PRAGMA user_version").fetchone()[0]
            tables = c.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not application and not tables:
                c.execute(f"PRAGMA application_id = {APPLICATION}")
                c.execute(f"PRAGMA user_version = {SCHEMA}")
                c.execute(_TABLE)
            elif application != APPLICATION:
                raise sqlite3.DatabaseError("a database of another program")
            elif version != SCHEMA:
                raise sqlite3.DatabaseError(f"its schema is {version}, this Braid's {SCHEMA}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def keep(self, row: Row) -> None:
        """Writes a row, on the disk when this returns."""
        values = dict(vars(row))
        for name in ("configuration", "varied"):
            values[name] = json.dumps(values[name])
        if row.results is not None:
            values["results"] = zlib.compress(json.dumps(row.results).encode())
        marks = ", ".join("?" * len(values))
        with self._lock, self._connection as c:
            c.execute(f"INSERT OR REPLACE INTO points ({_COLUMNS}) VALUES ({marks})", tuple(values.values()))

    def find(self, key: str) -> Row | None:
        """The row of a point."""
        with self._lock:
            found = self._connection.execute(f"SELECT {_COLUMNS} FROM points WHERE key = ?", (key,)).fetchone()
        return _row(found) if found else None

    def __iter__(self) -> Iterator[Row]:
        """All rows, in the order in which they ended."""
        with self._lock:
            found = self._connection.execute(f"SELECT {_COLUMNS} FROM points ORDER BY rowid").fetchall()
        return map(_row, found)

    def __len__(self) -> int:
        with self._lock:
            return self._connection.execute("SELECT count(*) FROM points").fetchone()[0]
