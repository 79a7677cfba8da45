"""scripts/reproduce: one module a source of figures."""

from __future__ import annotations

import argparse
import sys

from braid_tools import booksim, po2, sat, tentacle

KNOWN = {"booksim": booksim.main, "po2": po2.main, "sat": sat.main, "tentacle": tentacle.main}


def main() -> int:
    """Entry point of scripts/reproduce."""
    parser = argparse.ArgumentParser(prog="scripts/reproduce", description=__doc__)
    parser.add_argument("name", choices=sorted(KNOWN))
    parser.add_argument("--quick", action="store_true", help="shorter runs, as CI takes them")
    arguments = parser.parse_args()
    return KNOWN[arguments.name](arguments.quick)


if __name__ == "__main__":
    sys.exit(main())
