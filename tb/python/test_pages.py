"""Figures in docs/*.md are those of the files and commands that they name."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from braid_tools import pages

SOURCE = SimpleNamespace(
    table=lambda: ["| a | 1 |", "| b | 2 |"],
    TABLES={"second": lambda: ["| d | 4 |"]},
    figures=lambda: {"share": "14.3"},
)
PAGE = """Text.
<!-- table: x -->
| name | value |
|---|---|
| a | 1 |
| b | 2 |

A share of 14.3<!-- x: share --> % (14.3<!-- x: share -->).

| another | table |
|---|---|
| c | 9 |

<!-- table: x: second -->
| one of | several |
|---|---|
| d | 4 |
"""


def differences(tmp_path: Path, text: str) -> list[str]:
    page = tmp_path / "page.md"
    page.write_text(text)
    return pages.differences(page, lambda _: SOURCE)


def test_a_page_with_its_figures_is_as_it_should_be(tmp_path: Path) -> None:
    assert differences(tmp_path, PAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("| b | 2 |", "| b | 3 |", 6),
        ("of 14.3<", "of 13.6<", 8),
        ("(14.3<", "(14.4<", 8),
        ("| d | 4 |", "| d | 5 |", 17),
    ],
)
def test_a_planted_figure_is_found(tmp_path: Path, old: str, new: str, line: int) -> None:
    [said] = differences(tmp_path, PAGE.replace(old, new))
    assert said.startswith(f"page.md:{line}: ")
    assert pages.renewed(PAGE.replace(old, new), lambda _: SOURCE) == PAGE


def test_a_row_more_or_less_is_found(tmp_path: Path) -> None:
    assert differences(tmp_path, PAGE.replace("| b | 2 |\n", ""))
    assert differences(tmp_path, PAGE.replace("| b | 2 |\n", "| b | 2 |\n| c | 3 |\n"))
    assert differences(tmp_path, "no mark, no figure\n") == []


@pytest.mark.parametrize("page", sorted(pages.DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_every_marked_figure_is_that_of_its_source(page: Path) -> None:
    assert pages.differences(page) == []


def test_there_are_marked_figures() -> None:
    text = (pages.DOCS / "streams.md").read_text()
    assert len(pages.TABLE.findall(text)) == 1
    assert len(pages.FIGURE.findall(text)) == 3
