"""What a C++ file of ours includes of ours."""

from __future__ import annotations

import re
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def included(path: Path) -> list[str]:
    """The files named by its #include "...", as they stand there."""
    return INCLUDE.findall(path.read_text())


def all_included(path: Path, root: Path) -> set[Path]:
    """The files below the root that it includes, directly or not."""
    found: set[Path] = set()
    to_read = [path]
    while to_read:
        fresh = {file for name in included(to_read.pop()) if (file := root / name).is_file()} - found
        found |= fresh
        to_read += fresh
    return found
