"""clang-tidy over all sources, in parallel; what passed is read again only when it or a header changes.

It reads the files of a unity build, eight sources at once: headers cost it most of the time. Only unused using
declarations are not seen so; --each reads every source by itself (scripts/nightly).

--changed (scripts/test) reads what has changed since the commit in tidy_passed.txt, all of whose files have passed: the
changed sources, and for each changed header one that includes it. --record writes that file after a run over all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from braid_tools.gates.includes import all_included
from braid_tools.program import ROOT, processors

# g++'s options that clang does not know; clang's complaint about a header of libstdc++; what a unity build is made of.
# Sources of no target here (RTL, fuzzing) are read with another one's options.
OPTIONS = (
    f'--extra-arg=-DBRAID_SOURCE_DIR="{ROOT}"',
    "--extra-arg=-Wno-macro-redefined",
    "--extra-arg=-Wno-unknown-warning-option",
    "--extra-arg=-Wno-unused-command-line-argument",
    "--extra-arg=-Wno-deprecated-declarations",
    "--checks=-bugprone-suspicious-include",
    r"--header-filter=/(routing|traffic|models|tb)/.*\.(h|cpp)$",
)
FOLDERS = ("routing", "traffic", "models", "tb")
EXAMPLES = ROOT / "tb" / "examples"  # projects of their own, built against the installed package
#: They are nothing without the headers that Verilator makes; g++ reads them, warnings are errors.
VERILATED = [ROOT / "tb" / "mesh" / name for name in ("main.cpp", "router_library.cpp")]
PASSED = Path(__file__).with_name("tidy_passed.txt")  # the hash of a commit
RULES = ROOT / ".clang-tidy"  # with VERSION's line of REQUIREMENTS: what says yes and no
REQUIREMENTS = "scripts/requirements/test.txt"
VERSION = "clang-tidy=="
INCLUDED = re.compile(r'^#include "(/.*\.cpp)"$', re.MULTILINE)


def digest(paths: list[Path]) -> str:
    """A hash over the contents of files."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def units(build: Path, sources: list[Path]) -> dict[Path, list[Path]]:
    """What clang-tidy is to read, and the sources in it: files of a unity build, and sources that are in none."""
    commands = json.loads((build / "compile_commands.json").read_text())
    found: dict[Path, list[Path]] = {}
    for command in commands:
        path = Path(command["file"])
        if path.suffix == ".cxx":
            found[path] = [Path(name) for name in INCLUDED.findall(path.read_text())]
    together = {source for members in found.values() for source in members}
    return found | {source: [source] for source in sources if source not in together}


def tidy(build: Path, path: Path) -> tuple[Path, str]:
    """What clang-tidy says of one file; empty if nothing."""
    command = [ROOT / ".venv/bin/clang-tidy", "-p", build, "--quiet", *OPTIONS, path]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    return path, "" if done.returncode == 0 else done.stdout + done.stderr


def git(*words: str) -> list[str] | None:
    """The lines that git prints; None where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_files() -> set[Path] | None:
    """What differs from the commit that has passed; None where git does not know it."""
    base = PASSED.read_text().strip() if PASSED.exists() else ""
    differing = git("diff", "--name-only", base, "--") if base else None
    if differing is None:
        return None
    return {ROOT / name for name in [*differing, *(git("ls-files", "--others", "--exclude-standard") or [])]}


def concerned(read: dict[Path, list[Path]], changed: set[Path]) -> dict[Path, list[Path]]:
    """The units with a changed source, and for each changed header that these do not include one that does."""
    chosen = {unit: members for unit, members in read.items() if changed.intersection(members)}
    headers = {path for path in changed if path.suffix == ".h" and path.is_file()}
    for members in chosen.values():
        for source in members:
            headers -= all_included(source, ROOT)
    for unit, members in read.items():
        if not headers:
            break
        if seen := headers & set().union(*(all_included(source, ROOT) for source in members)):
            chosen[unit] = members
            headers -= seen
    return chosen


def version(requirements: list[str]) -> list[str]:
    """Of clang-tidy, among other packages."""
    return [line for line in requirements if line.startswith(VERSION)]


def another_version() -> bool:
    """Is clang-tidy another one than that of the commit that has passed?"""
    before = git("show", f"{PASSED.read_text().strip()}:{REQUIREMENTS}")
    return before is None or version(before) != version((ROOT / REQUIREMENTS).read_text().splitlines())


def to_read(read: dict[Path, list[Path]]) -> dict[Path, list[Path]]:
    """What --changed reads: everything where the rules have changed or the commit that has passed is not known."""
    changed = changed_files()
    if changed is None or RULES in changed or (ROOT / REQUIREMENTS in changed and another_version()):
        return read
    return concerned(read, changed)


def main() -> int:
    """Configures the build without precompiled headers, then checks what changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="every source by itself")
    parser.add_argument(
        "--changed", action="store_true", help=f"only what has changed since the commit in {PASSED.name}"
    )
    parser.add_argument("--record", action="store_true", help=f"if all have passed, put HEAD's hash into {PASSED.name}")
    arguments = parser.parse_args()
    each = arguments.each
    build = ROOT / "build" / ("tidy_each" if each else "tidy")
    unity = f"-DCMAKE_UNITY_BUILD={'OFF' if each else 'ON'}"
    configure = ["cmake", "--preset", "tidy", "-B", build, unity]
    generate = ["cmake", "--build", build, "--target", "generated/braid_stamp.h"]
    for command in (configure, generate):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    sources = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.cpp"))]
    read = units(build, [path for path in sources if EXAMPLES not in path.parents and path not in VERILATED])
    if arguments.changed:
        read = to_read(read)
    headers = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.h"))]
    common = digest([RULES, ROOT / REQUIREMENTS, *headers])
    record = build / "passed.json"
    passed: dict[str, str] = json.loads(record.read_text()) if record.exists() else {}
    keys = {path: common + digest([path, *members]) for path, members in read.items()}
    todo = [path for path in read if passed.get(str(path.relative_to(ROOT))) != keys[path]]
    failed = 0
    with ThreadPoolExecutor(processors()) as pool:
        for path, complaint in pool.map(partial(tidy, build), todo):
            if complaint:
                failed += 1
                print(complaint)
            else:
                passed[str(path.relative_to(ROOT))] = keys[path]
    record.write_text(json.dumps(passed, indent=1))
    print(f"clang-tidy: {len(read) - len(todo)} files unchanged, {len(todo) - failed} passed, {failed} failed")
    if arguments.record and not failed and not arguments.changed:
        PASSED.write_text("\n".join(git("rev-parse", "HEAD") or []) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
