"""A hook of mkdocs: links from a page to files of the repository outside docs/ become plain text, for the site has no
such files. One to a file that is nowhere stays, and the strict build fails on it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """mkdocs asks for each page."""
    docs = Path(config["docs_dir"]).resolve()
    folder = (docs / page.file.src_uri).parent

    def as_text(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        return link[0] if "://" in link[2] or docs in target.parents or not target.exists() else link[1]

    return LINK.sub(as_text, markdown)
