"""The drawings of pins by cycle in hw/README.md."""

from __future__ import annotations

from pathlib import Path


def drawing(name: str) -> dict[str, dict[int, str]]:
    """Pin -> cycle -> letter, of a drawing in hw/README.md."""
    text = (Path(__file__).parents[2] / "hw" / "README.md").read_text()
    block = text.split(f"    {name}\n", 1)[1].split("\n\n", 1)[0]
    header, *rows = [line[4:] for line in block.splitlines()]
    columns = {header.index(f" {cycle}") + 1: int(cycle) for cycle in header.split()[1:]}
    letters = {row.split()[0]: {at: c for at, c in enumerate(row) if at >= min(columns) and c != " "} for row in rows}
    return {pin: {columns[at]: c for at, c in row.items()} for pin, row in letters.items()}
