"""docs/peers.md: what its cells say that Braid has, Braid has. Names of policies are held to `braid list`, keys to the
page of all keys (made by the program), commands to the program's help, links to the pages that there are."""

from __future__ import annotations

import re
import subprocess

import pytest
from braid_tools.program import BRAID, ROOT

DOCS = ROOT / "docs"
ROW = re.compile(r"^\| (?!---)(.+?) \|$", re.MULTILINE)


def rows(text: str) -> list[list[str]]:
    """Cells of all rows but the heads."""
    found = [row.split(" | ") for row in ROW.findall(text)]
    return [cells for cells in found if "Braid" not in cells[:2] and cells[0] != "| Braid"]


def said(*words: str) -> str:
    """What the program prints."""
    return subprocess.run([BRAID, *words], capture_output=True, text=True, check=True).stdout


def policies() -> dict[str, set[str]]:
    """By axis."""
    found: dict[str, set[str]] = {}
    axis = ""
    for line in said("list").splitlines():
        if line.startswith(" "):
            found[axis].add(line.split()[0])
        else:
            axis = line.strip()
            found[axis] = set()
    return found


def keys() -> set[str]:
    """topology.width and so on."""
    found = set()
    for part in (DOCS / "configuration.md").read_text().split("\n## [")[1:]:
        section = part[: part.index("]")]
        found |= {f"{section}.{name}" for name in re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)}
    return found


def wrong(text: str) -> list[str]:
    """What a page claims that is not so."""
    axes = policies()
    known = keys()
    commands = set(re.findall(r"^    braid (\S+)", said("--help"), re.MULTILINE))
    commands = {word for names in commands for word in names.split("|")}
    complaints = []
    for what, braid, *others in rows(text):
        if len(others) != 3 or "" in (what, braid, *others):
            complaints.append(f"{what}: three others are expected")
        if braid == "no":
            continue
        links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", braid)
        complaints += [f"{what}: no page {link}" for link in links if not (DOCS / link).is_file()]
        complaints += [] if links else [f"{what}: no page is named"]
        for code in re.findall(r"`([^`]+)`", braid):
            key, _, value = code.partition(" = ")
            if key.startswith("braid "):
                complaints += [] if key.split()[1] in commands else [f"{what}: no command {key}"]
            elif value:
                complaints += [] if value.strip('"') in axes.get(key, set()) else [f"{what}: no {code}"]
            elif key not in known:
                complaints.append(f"{what}: no key {key}")
    return complaints


def test_what_the_page_says_is_so() -> None:
    """Four tables."""
    text = (DOCS / "peers.md").read_text()
    assert len(rows(text)) > 40
    assert wrong(text) == []


@pytest.mark.parametrize(
    "planted",
    [
        '| mesh | `topology.kind = "mash"`, [a](index.md) | a | b | c |',
        "| mesh | `topology.widht`, [a](index.md) | a | b | c |",
        "| mesh | `braid chek`, [a](index.md) | a | b | c |",
        "| mesh | `topology.width`, [a](no_such_page.md) | a | b | c |",
        "| mesh | `topology.width` | a | b | c |",
        "| mesh | `topology.width`, [a](index.md) | a | b |",
    ],
)
def test_what_is_not_so_is_found(planted: str) -> None:
    """A name, a key, a command, a page, no page, a column."""
    assert len(wrong(planted)) == 1
