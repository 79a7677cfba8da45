"""Hashes of contents: what a kept result was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest(*parts: bytes) -> str:
    """A short hash, which knows where one part ends."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:16]


def digest_of_files(root: Path, places: Iterable[str]) -> str:
    """A short hash of files, and of all files in folders, with their names."""
    parts = []
    for place in places:
        top = root / place
        files = [top] if top.is_file() else top.rglob("*")
        for path in sorted(p for p in files if p.is_file() and "__pycache__" not in p.parts):
            parts += [str(path.relative_to(root)).encode(), path.read_bytes()]
    return digest(*parts)
