"""The nightly's run of the tests with every check of AddressSanitizer and UndefinedBehaviorSanitizer, Verilated routers
included (docs/testing.md). scripts/test leaves out the checks that cost the compiler most, and the RTL."""

from __future__ import annotations

import subprocess
import sys

from braid_tools.program import ROOT


def main() -> int:
    """Builds the preset asan_all and runs its tests: a program an area, and lockstep."""
    build = subprocess.run([ROOT / "scripts" / "build", "asan_all", "tests", "rtl"], cwd=ROOT, check=False)
    if build.returncode != 0:
        return build.returncode
    return subprocess.run(
        ["ctest", "--test-dir", "build/asan_all", "--output-on-failure"], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
