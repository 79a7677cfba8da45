"""scripts/reproduce: regenerates the figures of a paper or a peer; results in results/NAME."""

from __future__ import annotations

import argparse
import importlib
import sys

from braid_tools.program import BraidError
from braid_tools.studies import studies
from braid_tools.study import Study


def main() -> int:
    """Entry point of scripts/reproduce."""
    known = studies()
    parser = argparse.ArgumentParser(prog="scripts/reproduce", description=__doc__)
    parser.add_argument("name", choices=list(known))
    parser.add_argument("--quick", action="store_true", help="shorter runs, as CI takes them")
    parser.add_argument("--record", action="store_true", help="write down what differs in this run (differs.csv)")
    arguments = parser.parse_args()
    study = Study(arguments.name, quick=arguments.quick)
    try:
        importlib.import_module(known[arguments.name]).reproduce(study)
    except BraidError as error:
        print(f"scripts/reproduce: {error}", file=sys.stderr)
        return 1
    if arguments.record:
        study.record()
    return study.verdict()


if __name__ == "__main__":
    sys.exit(main())
