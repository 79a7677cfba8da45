"""clang-tidy over all sources, in parallel; what passed is read again only when it or a header changes.

It reads the files of a unity build, eight sources at once: headers cost it most of the time. Only unused using
declarations are not seen so; --each reads every source by itself (scripts/nightly).
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

from braid_tools.program import ROOT, processors

# g++'s options that clang does not know; clang's complaint about a header of libstdc++; what a unity build is made of.
# Sources of no target here (RTL, fuzzing) are read with another one's options.
OPTIONS = (
    f'--extra-arg=-DBRAID_SOURCE_DIR="{ROOT}"',
    "--extra-arg=-Wno-macro-redefined",
    "--extra-arg=-Wno-unknown-warning-option",
    "--extra-arg=-Wno-deprecated-declarations",
    "--checks=-bugprone-suspicious-include",
    r"--header-filter=/(routing|traffic|models|tb)/.*\.(h|cpp)$",
)
FOLDERS = ("routing", "traffic", "models", "tb")
EXAMPLES = ROOT / "tb" / "examples"  # projects of their own, built against the installed package
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


def main() -> int:
    """Configures the build without precompiled headers, then checks what changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="every source by itself")
    each = parser.parse_args().each
    build = ROOT / "build" / ("tidy_each" if each else "tidy")
    unity = f"-DCMAKE_UNITY_BUILD={'OFF' if each else 'ON'}"
    configure = ["cmake", "--preset", "tidy", "-B", build, unity]
    generate = ["cmake", "--build", build, "--target", "generated/braid_stamp.h"]
    for command in (configure, generate):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    sources = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.cpp"))]
    read = units(build, [path for path in sources if EXAMPLES not in path.parents])
    headers = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.h"))]
    common = digest([ROOT / ".clang-tidy", ROOT / "scripts" / "requirements.txt", *headers])
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
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
