"""The notebooks of the pages are executed: they print what they show, and their pages are what they are."""

from pathlib import Path

import nbformat
import pytest
from braid_tools.site.notebook import IMAGES, NOTEBOOKS, differing, executed, page

FILES = sorted(NOTEBOOKS.glob("*.ipynb"))
PNG = b"\x89PNG"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_prints_what_it_shows(file: Path) -> None:
    assert differing(file, executed(file)) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_page_is_made_of_it(file: Path) -> None:
    text, plots = page(file.stem, nbformat.read(file, as_version=4))
    assert file.with_suffix(".md").read_text() == text
    assert len(plots) >= 2
    for n, plot in enumerate(plots, 1):
        assert plot.startswith(PNG)
        assert (IMAGES / f"{file.stem}_{n}.png").read_bytes() == plot


def test_a_cell_that_prints_something_else_is_noticed() -> None:
    """Not executed: with a figure of it changed."""
    file = FILES[0]
    other = nbformat.read(file, as_version=4)
    cell = next(cell for cell in other.cells if cell.get("outputs"))
    cell.outputs[0].data["text/plain"] = "47 cycles"
    (line,) = differing(file, other)
    assert "import braid: prints ['47 cycles'], was ['48." in line
