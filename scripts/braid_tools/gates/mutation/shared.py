"""What became of seeded faults, by what it hangs on: the faulty file and the test that caught it. Kept outside the
repository, so that worktrees, branches and nights share it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from braid_tools.digest import digest, digest_of_files
from braid_tools.gates.mutation.faults import Fault
from braid_tools.gates.mutation.rows import Row

TESTS = ["tb/tests", "tb/python", "tb/golden"]
FOLDER = Path(os.environ.get("BRAID_MUTATIONS", Path.home() / ".cache" / "braid" / "mutations"))


def hash_of(fault: Fault, text: str) -> str:
    """Of the faulty file; `text` is what it is without the fault."""
    return digest(fault.file.encode(), fault.seeded(text).encode())


class Evidence:
    """Hashes of the tests of one tree, by the name of what caught a fault."""

    def __init__(self, root: Path, revision: str = "") -> None:
        self.root = root
        self.revision = revision  # an older one's tests are those of its commit
        self.hashes: dict[str, str] = {}

    def places(self, caught_by: str) -> list[str]:
        """Where the test is, with what it shares with others; all tests of what nothing caught."""
        program = caught_by.split(".")[0]
        if program == "golden":
            return ["tb/golden"]
        if caught_by.startswith("tb/python/"):
            return [str(Path(caught_by.split("::")[0]).parent), "tb/python/conftest.py"]
        if program and (self.root / "tb" / "tests" / program).is_dir():
            return [f"tb/tests/{program}", "tb/tests/support"]
        return TESTS

    def of(self, caught_by: str) -> str:
        """The hash of these places."""
        if self.revision:
            return self.revision
        places = self.places(caught_by)
        key = " ".join(places)
        if key not in self.hashes:
            self.hashes[key] = digest_of_files(self.root, [p for p in places if (self.root / p).exists()])
        return self.hashes[key]

    def holds(self, row: Row) -> bool:
        """Are the tests that it speaks of still the same?"""
        return row["tests_hash"] == self.of(row["caught_by"])


class Shared:
    """A file for each faulty file: the row of its fault."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    def find(self, fault: Fault, fault_hash: str, evidence: Evidence) -> Row | None:
        """What became of it, if the tests that this hangs on are those of this tree."""
        path = self.folder / f"{fault_hash}.json"
        if not path.is_file():
            return None
        row = json.loads(path.read_text())
        return row | {"name": fault.name, "what": fault.what} if evidence.holds(row) else None

    def add(self, row: Row) -> None:
        """Keeps a row, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{row['fault_hash']}.json"
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(row))
        part.replace(path)
