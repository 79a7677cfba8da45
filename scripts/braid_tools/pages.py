"""Figures in docs/*.md that come from files and commands: `python -m braid_tools.pages` puts them in again, `--check`
says which are others.

A table behind `<!-- table: MODULE -->` has the rows that MODULE.table() gives, behind `<!-- table: MODULE: KEY -->`
those of MODULE.TABLES[KEY](); its first two lines, the head, are the page's. A figure before `<!-- MODULE: KEY -->` is
MODULE.figures()[KEY]; it reaches back to the last blank or bracket. MODULE is one of braid_tools.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from braid_tools.program import ROOT

DOCS = ROOT / "docs"
HEAD_LINES = 2
TABLE = re.compile(r"<!-- table: ([\w.]+)(?:: (\w+))? -->")
FIGURE = re.compile(r"([^\s(|]+)<!-- ([\w.]+): (\w+) -->")
Source = Callable[[str], ModuleType]


def module(name: str) -> ModuleType:
    """A source of figures."""
    return importlib.import_module(f"braid_tools.{name}")


def with_tables(lines: list[str], source: Source) -> list[str]:
    """The lines, each marked table's rows made again."""
    out: list[str] = []
    rows: list[str] | None = None  # of the table that comes next
    left = 0  # lines of its head
    for line in lines:
        marked = TABLE.search(line)
        if marked:
            of = source(marked[1])
            rows, left = of.TABLES[marked[2]]() if marked[2] else of.table(), HEAD_LINES
        in_table = line.startswith("|")
        if rows is not None and in_table:
            if left == 0:
                continue  # an old row
            left -= 1
            out.append(line)
            if left == 0:
                out += rows
            continue
        if rows is not None and left == 0 and not in_table:
            rows = None
        out.append(line)
    if rows is not None and left:
        raise ValueError("a marked table without a head")
    return out


def renewed(text: str, source: Source = module) -> str:
    """The page with its figures as they are now."""
    text = "\n".join(with_tables(text.split("\n"), source))
    return FIGURE.sub(lambda m: f"{source(m[2]).figures()[m[3]]}<!-- {m[2]}: {m[3]} -->", text)


def differences(page: Path, source: Source = module) -> list[str]:
    """Lines of a page that have other figures now: FILE:LINE: what is there, what it should be."""
    old = page.read_text()
    if "<!-- " not in old:
        return []
    new = renewed(old, source).split("\n")
    lines = old.split("\n")
    if len(new) != len(lines):
        return [f"{page.name}: {len(lines)} lines, with all rows of its tables {len(new)}"]
    return [
        f"{page.name}:{n}: {a}  should be  {b}" for n, (a, b) in enumerate(zip(lines, new, strict=True), 1) if a != b
    ]


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if a figure is another")
    check = parser.parse_args().check
    wrong = [line for page in sorted(DOCS.rglob("*.md")) for line in differences(page)]
    print("\n".join(wrong) or "all marked figures are as they should be")
    if not check:
        for page in DOCS.rglob("*.md"):
            if differences(page):
                page.write_text(renewed(page.read_text()))
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.exit(main())
