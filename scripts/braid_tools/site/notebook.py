"""The notebooks of the pages: each is executed, its figures are compared, and it is a page of the site with its plots.

Usage: python -m braid_tools.site.notebook [--update]

Without --update: which cells print something else than the notebook has. With it the notebook's outputs, the page
beside it (NAME.md) and the plots (docs/images/NAME_N.png) are written anew."""

from __future__ import annotations

import argparse
import base64
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from braid_tools.program import ROOT

NOTEBOOKS = ROOT / "docs" / "notebooks"
IMAGES = ROOT / "docs" / "images"
SECONDS_A_CELL = 120
MADE = "*This page is the notebook `docs/notebooks/{name}`, executed by the tests.*"


def executed(file: Path) -> Any:
    """The notebook with what its cells print and draw today. It runs in an empty folder."""
    notebook = nbformat.read(file, as_version=4)
    path = os.pathsep.join([str(ROOT / "scripts"), os.environ.get("PYTHONPATH", "")])
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS_A_CELL,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute(env={**os.environ, "PYTHONPATH": path})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [kept for output in cell.outputs if (kept := _kept(output)) is not None]
    return notebook


def _kept(output: Any) -> Any:
    """Of an output what a reader is to see: no progress bar."""
    if output.output_type == "stream":
        return output if output.name == "stdout" else None
    data = {kind: value for kind, value in output.get("data", {}).items() if kind in ("text/plain", "image/png")}
    if "image/png" in data:
        data.pop("text/plain", None)
    if not data or (output.output_type == "display_data" and "image/png" not in data):
        return None
    output.data = data
    return output


def texts(cell: Any) -> list[str]:
    """What a cell prints, a plot as its kind."""
    return [
        output.text if output.output_type == "stream" else output.data.get("text/plain", "image/png")
        for output in cell.get("outputs", [])
    ]


def differing(file: Path, now: Any) -> list[str]:
    """A line for each cell that prints something else than the notebook has."""
    lines = []
    for was, cell in zip(nbformat.read(file, as_version=4).cells, now.cells, strict=True):
        if texts(was) != texts(cell):
            lines.append(f"{file.name}: {cell.source.splitlines()[0]}: prints {texts(cell)}, was {texts(was)}")
    return lines


def page(name: str, notebook: Any) -> tuple[str, list[bytes]]:
    """The notebook as a page, and its plots in their order."""
    parts, plots = [], []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output, text in zip(cell.outputs, texts(cell), strict=True):
            if text != "image/png":
                parts.append(f"```text\n{text.rstrip()}\n```")
                continue
            plots.append(base64.b64decode(output.data["image/png"]))
            parts.append(f"![{caption(cell)}](../images/{name}_{len(plots)}.png)")
    parts.insert(1, MADE.format(name=f"{name}.ipynb"))
    return "\n\n".join(parts) + "\n", plots


def caption(cell: Any) -> str:
    """A plot's claim: the comment that its cell begins with."""
    return cell.source.splitlines()[0].lstrip("# ")


def write(file: Path, notebook: Any) -> None:
    """Notebook, page and plots."""
    nbformat.write(notebook, file)
    text, plots = page(file.stem, notebook)
    file.with_suffix(".md").write_text(text)
    for n, plot in enumerate(plots, 1):
        (IMAGES / f"{file.stem}_{n}.png").write_bytes(plot)


def main() -> int:
    """Exit status 1 if a cell prints something else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    update = parser.parse_args().update
    lines = []
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        now = executed(file)
        lines += differing(file, now)
        if update:
            write(file, now)
    print("\n".join(lines) or "every cell prints what it did")
    return 1 if lines and not update else 0


if __name__ == "__main__":
    sys.exit(main())
