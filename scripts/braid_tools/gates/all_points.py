"""The nightly's run of what every point of hw/points.json is for: each in lockstep, and the pins of each. scripts/test
leaves out the points that no network of its tests has ("nightly" in points.json)."""

from __future__ import annotations

import sys

from braid_tools.gates.built_tests import built_tests

if __name__ == "__main__":
    sys.exit(built_tests("release", ("tests", "rtl"), "-R", "^(lockstep|pins)"))
