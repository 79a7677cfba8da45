"""clang-tidy over all sources, in parallel; what passed is read again only when it or a header changes."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from braid_tools.program import ROOT, processors

BUILD = ROOT / "build" / "tidy"
PASSED = BUILD / "passed.json"
# g++'s options that clang does not know; clang's complaint about a header of libstdc++.
WARNINGS = ("--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-deprecated-declarations")
FOLDERS = ("routing", "traffic", "models", "tb")
EXAMPLES = ROOT / "tb" / "examples"  # projects of their own, built against the installed package


def digest(paths: list[Path]) -> str:
    """A hash over the contents of files."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def tidy(path: Path) -> tuple[Path, str]:
    """What clang-tidy says of one file; empty if nothing."""
    command = [ROOT / ".venv/bin/clang-tidy", "-p", BUILD, "--quiet", *WARNINGS, path]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    return path, "" if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    """Configures the build without precompiled headers, then checks what changed."""
    subprocess.run(["cmake", "--preset", "tidy"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.cpp"))]
    files = [path for path in files if EXAMPLES not in path.parents]
    headers = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.h"))]
    common = digest([ROOT / ".clang-tidy", ROOT / "scripts" / "requirements.txt", *headers])
    passed: dict[str, str] = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    keys = {path: common + digest([path]) for path in files}
    todo = [path for path in files if passed.get(str(path.relative_to(ROOT))) != keys[path]]
    failed = 0
    with ThreadPoolExecutor(processors()) as pool:
        for path, complaint in pool.map(tidy, todo):
            if complaint:
                failed += 1
                print(complaint)
            else:
                passed[str(path.relative_to(ROOT))] = keys[path]
    PASSED.write_text(json.dumps(passed, indent=1))
    print(f"clang-tidy: {len(files) - len(todo)} files unchanged, {len(todo) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
