"""scripts/reproduce: regenerates the figures of a paper or a peer, or of all of them; results in results/NAME.

What has run is kept in results/NAME/runs: a call that was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from braid_tools.program import BraidError
from braid_tools.studies import studies
from braid_tools.study import Study

ALL = "all"


def reproduced(module: str, study: Study, seeds: int) -> None:
    """The study, and as often again with other seeds."""
    reproduce = importlib.import_module(module).reproduce
    reproduce(study)
    others = [study.another(seed) for seed in range(1, seeds)]
    for other in others:
        reproduce(other)
    if others:
        study.over_seeds(others)


def one(name: str, module: str, arguments: argparse.Namespace) -> int:
    """A study's exit status."""
    study = Study(name, quick=arguments.quick)
    try:
        reproduced(module, study, arguments.seeds)
    except BraidError as error:
        print(f"scripts/reproduce: {name}: {error}", file=sys.stderr)
        return 1
    if arguments.record:
        study.record()
    return study.verdict()


def main() -> int:
    """Entry point of scripts/reproduce."""
    known = studies()
    parser = argparse.ArgumentParser(prog="scripts/reproduce", description=__doc__)
    parser.add_argument("name", choices=[*known, ALL])
    parser.add_argument("--quick", action="store_true", help="shorter runs, as CI takes them")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="runs of each point: intervals of every row")
    parser.add_argument(
        "--record", action="store_true", help="write down what differs, and the rows of a full run (docs/results)"
    )
    arguments = parser.parse_args()
    if arguments.seeds < 1:
        parser.error(f"--seeds {arguments.seeds}: expected 1 or more")
    names = known if arguments.name == ALL else [arguments.name]
    return max(one(name, known[name], arguments) for name in names)


if __name__ == "__main__":
    sys.exit(main())
