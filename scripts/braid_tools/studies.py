"""The studies that there are: a paper.py in a room of papers/, a file of peers/. They are found, not listed."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def studies() -> dict[str, str]:
    """Name -> module, whose reproduce(study) regenerates the figures."""
    papers = {path.parent.name: f"papers.{path.parent.name}.paper" for path in HERE.glob("papers/*/paper.py")}
    peers = {path.stem: f"peers.{path.stem}" for path in HERE.glob("peers/[!_]*.py")}
    return {name: f"{__package__}.{module}" for name, module in sorted({**papers, **peers}.items())}
