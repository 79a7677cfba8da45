"""A hook of mkdocs for the site's search. The pages behind the four doors, and the recipes, come before those that go
deep, where both have the word; and a mistake of lunr, the library that searches, is mended in the copy the site takes
along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FOLDERS = ("explore", "cosimulate", "regress", "debug", "recipes")
#: A word in a heading counts a thousand times one in the text, so this moves a page only among its equals.
BOOST = 8
#: lunr keeps its words as a graph and merges nodes whose outgoing edges are equal. It writes the edges as letter, node,
#: letter, node, with nothing between: where words have digits in them, different edges are written alike ("1", 12 and
#: "11", 2), wrong nodes are merged, words appear that no page has, and a search that meets one finds nothing at all.
EDGES = "e=e+s+o.id}"
EDGES_APART = 'e=e+s+o.id+","}'


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """mkdocs asks for each page."""
    if page.file.src_uri.partition("/")[0] in FOLDERS:
        page.meta["search"] = {"boost": BOOST}
    return markdown


def on_post_build(config: Any, **_: Any) -> None:
    """mkdocs says that the site is written. Errors: ValueError where lunr's text is not what it was."""
    (worker,) = Path(config["site_dir"], "assets", "javascripts", "workers").glob("search.*.min.js")
    text = worker.read_text()
    if text.count(EDGES) != 1:
        raise ValueError(f"{worker.name}: expected {EDGES!r} once; look at TokenSet.toString of this lunr")
    worker.write_text(text.replace(EDGES, EDGES_APART))
