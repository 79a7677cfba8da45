"""The site in a browser: built, served from this machine and opened from the disk, and searched in Chromium both
ways. Screenshots of the four doors go to results/site. Needs the package chromium.

Usage: python -m braid_tools.site.searches"""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from braid_tools.program import ROOT
from braid_tools.site.browser import Browser

SITE = ROOT / "build" / "site"
OUT = ROOT / "results" / "site"
#: What somebody may type, and a page that must be among the first answers.
SEARCHES = {
    "deadlock": "debug/deadlock.html",
    "saturate": "recipes/saturation.html",
    "credit_delay_cycles": "configuration.html",
    "networkx": "recipes/networkx.html",
    "late packet": "recipes/late-packet.html",
    "import braid": "python.html",
}
FIRST_ANSWERS = 5
NOBODY_WRITES_THIS = "qqqxqqq"
DOORS = {
    "explore": "explore/first-figure.html",
    "cosimulate": "cosimulate/which-way.html",
    "regress": "regress/ci.html",
    "debug": "debug/packet.html",
}
#: Types a text into the search box.
TYPE = """(() => {
  const box = document.querySelector('.md-search__input');
  box.focus();
  box.value = %s;
  box.dispatchEvent(new Event('input', {bubbles: true}));
  return box.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));
})()"""
#: Is the search there, and are the answers to what was typed before gone?
READY = "/Type to start searching/.test(document.querySelector('.md-search-result__meta').textContent)"
#: The links of the answers, once the search has answered: it says how many there are, or that there are none.
ANSWERS = """(() => {
  const said = document.querySelector('.md-search-result__meta').textContent;
  if (!/matching document/.test(said)) return null;
  return JSON.stringify([...document.querySelectorAll('a.md-search-result__link')].map(a => a.href));
})()"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Says nothing of what is asked for."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The site's address while it is served."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def found(browser: Browser, address: str, words: str) -> list[str]:
    """The pages that the search box shows for what is typed, the best first; `address`: of the site."""
    browser.wait_for(TYPE % "''")
    browser.wait_for(READY)
    browser.wait_for(TYPE % json.dumps(words))
    links = [urlsplit(link)._replace(query="", fragment="").geturl() for link in json.loads(browser.wait_for(ANSWERS))]
    return list(dict.fromkeys(link.removeprefix(f"{address}/") for link in links))


def missed(browser: Browser, address: str) -> list[str]:
    """A line for each search that does not find what it should."""
    browser.open(f"{address}/index.html")
    browser.wait_for("document.readyState == 'complete'")
    lines = []
    for words, page in SEARCHES.items():
        pages = found(browser, address, words)[:FIRST_ANSWERS]
        if page not in pages:
            lines.append(f"{words}: expected {page}, found {', '.join(pages) or 'nothing'}")
    if pages := found(browser, address, NOBODY_WRITES_THIS):
        lines.append(f"{NOBODY_WRITES_THIS}: expected nothing, found {', '.join(pages)}")
    return lines


def main() -> int:
    """Prints which searches miss their page, and where the screenshots are."""
    subprocess.run([ROOT / "scripts" / "site"], check=True, stdout=subprocess.DEVNULL)
    OUT.mkdir(parents=True, exist_ok=True)
    with served(SITE) as address, Browser() as browser:
        lines = [line for place in (address, SITE.as_uri()) for line in missed(browser, place)]
        for door, page in DOORS.items():
            browser.open(f"{address}/{page}")
            browser.wait_for("document.readyState == 'complete'")
            browser.screenshot(OUT / f"{door}.png")
            print(OUT / f"{door}.png")
    print("\n".join(lines) or f"{len(SEARCHES)} searches find their pages")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
