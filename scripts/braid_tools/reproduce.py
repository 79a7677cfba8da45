"""scripts/reproduce: regenerates the figures of a paper or a peer, or of all of them; results in results/NAME, of all a
page in results/all/index.html.

What has run is kept in results/NAME/runs: a call that was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from braid_tools import program
from braid_tools.overview import Reproduced, overview
from braid_tools.program import BraidError
from braid_tools.studies import studies
from braid_tools.study import RESULTS, Study

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


def one(name: str, module: str, arguments: argparse.Namespace) -> Reproduced:
    """What came of a study."""
    study = Study(name, quick=arguments.quick)
    try:
        reproduced(module, study, arguments.seeds)
    except BraidError as error:
        print(f"scripts/reproduce: {name}: {error}", file=sys.stderr)
        return Reproduced(name, error=str(error))
    if arguments.record:
        study.record()
    as_known = study.verdict() == 0
    return Reproduced(name, study.rows, sorted(study.folder.glob("*.png")), as_known=as_known)


def write_page(done: list[Reproduced], *, quick: bool) -> None:
    """Published beside measured, of all studies."""
    file = RESULTS / ALL / "index.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(overview(done, f"{program.braid('--version').strip()}, {'quick' if quick else 'full'} runs"))
    print(f"{sum(one.as_known for one in done)} of {len(done)} studies as known: results/{ALL}/index.html")


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
    done = [one(name, known[name], arguments) for name in names]
    if arguments.name == ALL:
        write_page(done, quick=arguments.quick)
    return 0 if all(one.as_known for one in done) else 1


if __name__ == "__main__":
    sys.exit(main())
