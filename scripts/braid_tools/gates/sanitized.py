"""The nightly's run of the tests with every check of AddressSanitizer and UndefinedBehaviorSanitizer, Verilated routers
included (docs/testing.md). scripts/test leaves out the checks that cost the compiler most, and the RTL."""

from __future__ import annotations

import sys

from braid_tools.gates.built_tests import built_tests

if __name__ == "__main__":
    sys.exit(built_tests("asan_all", ("tests", "rtl")))
