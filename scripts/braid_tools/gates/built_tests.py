"""What is built for tests: jobs of the nightly that build a preset and run its tests, and libraries of the RTL."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from braid_tools.program import ROOT, processors


def built_tests(preset: str, targets: Iterable[str], *words: str) -> int:
    """Builds the targets, then runs the tests that `words` choose; the exit status of the first that fails."""
    build = subprocess.run([ROOT / "scripts" / "build", preset, *targets], cwd=ROOT, check=False)
    if build.returncode != 0:
        return build.returncode
    ctest = ["ctest", "--test-dir", f"build/{preset}", "-j", str(processors()), "--output-on-failure"]
    return subprocess.run([*ctest, "--no-tests=error", *words], cwd=ROOT, check=False).returncode


def rtl_built_before(libraries: Path = ROOT / "build" / "release" / "rtl") -> list[str]:
    """Targets of the libraries that are there, of points of the RTL and of their stages: tests run each of them, and
    what is older than the program is refused."""
    points = json.loads((ROOT / "hw" / "points.json").read_text())
    known = {f"{kind}{point['name']}" for kind in ("", "stages_") for point in points}
    return sorted(f"rtl_{found.stem}" for found in libraries.rglob("*.so") if found.stem in known)
