"""The yosys command, from the native wheel: `python -m braid_tools.rtl.yosys [-V] [options] SCRIPT`."""

from __future__ import annotations

import importlib.metadata
import sys

from pyosys import libyosys


def main() -> int:
    """Runs the script that the last argument names; options (quiet, log file) are SymbiYosys's and change nothing."""
    if sys.argv[1:2] in (["-V"], ["--version"]):
        print(
            f"Yosys {importlib.metadata.version('pyosys')}"
        )  # as the command says it; the wheel's module does not know
        return 0
    libyosys.run_pass("script " + sys.argv[-1], libyosys.Design())
    return 0


if __name__ == "__main__":
    sys.exit(main())
