"""A hook of mkdocs: in the site's search the pages behind the four doors, and the recipes, come before those that go
deep, where both have the word."""

from __future__ import annotations

from typing import Any

FOLDERS = ("explore", "cosimulate", "regress", "debug", "recipes")
#: A word in a heading counts a thousand times one in the text, so this moves a page only among its equals.
BOOST = 8


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """mkdocs asks for each page."""
    if page.file.src_uri.partition("/")[0] in FOLDERS:
        page.meta["search"] = {"boost": BOOST}
    return markdown
