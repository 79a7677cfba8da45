"""Block diagrams in the pages of the hardware view: each stands behind a line `<!-- diagram: ARGUMENTS -->` and is what
`braid modules ARGUMENTS --mermaid -` prints today. `--update` draws them anew. Pages that differ are named."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from braid_tools.program import ROOT, braid

#: The line, and the diagram behind it if there is one.
MARK = re.compile(r"<!-- diagram: (.*?) -->\n(?:\n```mermaid\n(.*?)```\n)?", re.S)


def pages() -> list[Path]:
    """That may have diagrams."""
    return [ROOT / "docs" / "hardware-view.md", *sorted((ROOT / "docs" / "hardware-view").glob("*.md"))]


def marks(page: Path) -> Iterator[tuple[str, str]]:
    """(arguments, diagram that is there), each."""
    for found in MARK.finditer(page.read_text()):
        yield found[1], found[2] or ""


def words(arguments: str) -> list[str]:
    """As the program is given them, from whatever folder."""
    return [str(ROOT / word) if word.startswith("tb/") else word for word in shlex.split(arguments)]


def drawn(arguments: str) -> str:
    """What the program draws."""
    return braid("modules", *words(arguments), "--quiet", "--mermaid", "-")


def update(page: Path) -> None:
    """Draws the page's diagrams anew."""

    def block(found: re.Match[str]) -> str:
        return f"<!-- diagram: {found[1]} -->\n\n```mermaid\n{drawn(found[1])}```\n"

    page.write_text(MARK.sub(block, page.read_text()))


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="draw them anew")
    if parser.parse_args().update:
        for page in pages():
            update(page)
    wrong = 0
    for page in pages():
        for arguments, diagram in marks(page):
            if diagram != drawn(arguments):
                print(f"{page.relative_to(ROOT)}: braid modules {arguments} draws another one")
                wrong += 1
    print(f"{sum(1 for page in pages() for _ in marks(page))} diagrams, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
