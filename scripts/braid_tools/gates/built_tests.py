"""What jobs of the nightly are that build a preset and run its tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

from braid_tools.program import ROOT, processors


def built_tests(preset: str, targets: Iterable[str], *words: str) -> int:
    """Builds the targets, then runs the tests that `words` choose; the exit status of the first that fails."""
    build = subprocess.run([ROOT / "scripts" / "build", preset, *targets], cwd=ROOT, check=False)
    if build.returncode != 0:
        return build.returncode
    ctest = ["ctest", "--test-dir", f"build/{preset}", "-j", str(processors()), "--output-on-failure"]
    return subprocess.run([*ctest, "--no-tests=error", *words], cwd=ROOT, check=False).returncode
