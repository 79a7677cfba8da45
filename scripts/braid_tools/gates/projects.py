"""What a user's project takes: `python -m braid_tools.gates.projects [--prefix DIR] [NAME...]` follows the README of
each folder of tb/examples from an empty folder against an installed package, as a user would: no compiler's cache, no
settings but the README's. The table, in seconds of a processor and by the clock, and what each names of Braid's, goes
to results/user_projects/times.csv.

Without --prefix the package is that of the program's build folder, installed to results/user_projects."""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
import time
from pathlib import Path

from braid_tools.gates.user_project import EXAMPLES, Command, NotAsWrittenError, follow, install
from braid_tools.program import ROOT

OUT = ROOT / "results" / "user_projects"
HEADER = re.compile(r'^#include "((?:models|routing|traffic|tb)/[^"]+)"', re.MULTILINE)
COMPONENT = re.compile(r"\bBraid::(\w+)")
Row = dict[str, object]


def plain() -> dict[str, str]:
    """The environment of somebody who has set nothing."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "CCACHE_DISABLE": "1"}


def known(project: Path) -> tuple[list[str], list[str], int]:
    """(Braid's headers that a project includes, its components that it links, lines of the project's own code)."""
    code = [file for file in sorted(project.iterdir()) if file.suffix in (".cpp", ".h")]
    texts = [file.read_text() for file in code]
    headers = sorted({name for text in texts for name in HEADER.findall(text)})
    parts = sorted(set(COMPONENT.findall((project / "CMakeLists.txt").read_text())))
    return headers, parts, sum(len(text.splitlines()) for text in texts)


def row(project: Path, done: list[Command]) -> Row:
    """A line of the table."""
    build = [command for command in done if command.line.startswith("cmake")]
    headers, parts, lines = known(project)
    return {
        "project": project.name,
        "build_processor_seconds": round(sum(command.processor_seconds for command in build), 1),
        "all_processor_seconds": round(sum(command.processor_seconds for command in done), 1),
        "all_seconds": round(sum(command.seconds for command in done), 1),
        "commands": len(done),
        "lines": lines,
        "components": " ".join(parts),
        "headers": " ".join(headers),
    }


def main() -> int:
    """Entry point; the last line says how many READMEs do what they say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", help="folders of tb/examples; default: all")
    parser.add_argument("--prefix", type=Path, help="of an installed package")
    arguments = parser.parse_args()
    projects = sorted(file.parent for file in EXAMPLES.glob("*/CMakeLists.txt"))
    if unknown := set(arguments.name) - {project.name for project in projects}:
        parser.error(f"no such project: {', '.join(sorted(unknown))}")
    projects = [project for project in projects if not arguments.name or project.name in arguments.name]
    OUT.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    prefix = arguments.prefix.resolve() if arguments.prefix else install(OUT / "prefix")
    print(f"package: {prefix}" + ("" if arguments.prefix else f", installed in {time.monotonic() - begin:.1f} s"))
    rows: list[Row] = []
    failed = 0
    for project in projects:
        try:
            rows.append(row(project, follow(project / "README.md", prefix, OUT / project.name, plain())))
        except NotAsWrittenError as e:
            failed += 1
            print(f"{project.name}: {e}")
            continue
        took = rows[-1]
        print(
            f"{project.name}: {took['all_processor_seconds']} s of a processor ({took['build_processor_seconds']} s to "
            f"build), {took['all_seconds']} s by the clock; {took['lines']} lines, {took['components']}"
        )
    if rows:
        with (OUT / "times.csv").open("w", newline="") as text:
            writer = csv.DictWriter(text, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    print(f"{len(rows)} projects do what their README says, {failed} do not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
