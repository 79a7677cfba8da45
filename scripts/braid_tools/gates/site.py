"""The site in a browser: it is built, served from this machine, and searched in headless Chromium; screenshots of the
four doors go to results/site. Needs the package chromium.

Usage: python -m braid_tools.gates.site"""

from __future__ import annotations

import functools
import http.server
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from braid_tools.program import ROOT

SITE = ROOT / "build" / "site"
OUT = ROOT / "results" / "site"
#: What somebody may type, and a page that must be among the first answers.
SEARCHES = {
    "deadlock": "debug/deadlock.html",
    "saturate": "recipes/saturation.html",
    "credit_delay_cycles": "configuration.html",
    "networkx": "recipes/networkx.html",
}
DOORS = {
    "explore": "explore/first-figure.html",
    "cosimulate": "cosimulate/which-way.html",
    "regress": "regress/ci.html",
    "debug": "debug/packet.html",
}
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
    "--virtual-time-budget=20000",
]
RESULT = re.compile(r'<a href="[^"]*?([\w/-]+\.html)[^"]*" class="md-search-result__link"')


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Says nothing of what is asked for."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def served() -> Iterator[str]:
    """The site's address while it is served."""
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def browser(address: str, *options: str) -> str:
    """What Chromium prints, with a profile of its own."""
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", *FLAGS, f"--user-data-dir={profile}", *options, address]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def found(address: str, words: str) -> list[str]:
    """The pages that the search box shows for what is typed, the best first."""
    return RESULT.findall(browser(f"{address}/index.html?q={words}", "--dump-dom"))


def main() -> int:
    """Prints what each search found."""
    subprocess.run([ROOT / "scripts" / "site"], check=True, stdout=subprocess.DEVNULL)
    OUT.mkdir(parents=True, exist_ok=True)
    missed = 0
    with served() as address:
        for words, page in SEARCHES.items():
            pages = list(dict.fromkeys(found(address, words)))
            missed += page not in pages[:5]
            print(f"{words}: {', '.join(pages[:5]) or 'nothing'}; expected {page}")
        missed += bool(found(address, "qqqxqqq"))
        for door, page in DOORS.items():
            browser(f"{address}/{page}", f"--screenshot={OUT / door}.png")
            print(f"{door}: {OUT / door}.png")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
