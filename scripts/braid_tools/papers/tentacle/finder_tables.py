"""Compares the finders of link-disjoint paths (braid_tools.papers.tentacle.finders).

python -m braid_tools.papers.tentacle.finder_tables [--quick] [--layouts N] [--sets N] writes finders.csv and
demands.csv into results/tentacle.
"""

from __future__ import annotations

import argparse
import sys

from braid_tools.papers.tentacle.finders import LAYOUTS, compare_finders, compare_on_demands
from braid_tools.study import Study


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="4x4 and few layouts")
    parser.add_argument("--layouts", type=int, default=LAYOUTS, help="random layouts of each benchmark")
    parser.add_argument("--sets", type=int, default=100, help="sets of random demands, at most")
    arguments = parser.parse_args()
    study = Study("tentacle", quick=arguments.quick)
    for row in compare_finders(study, arguments.layouts):
        print(f"{row.verdict:9} {row.quantity}{': ' if row.note else ''}{row.note}")
    compare_on_demands(study, arguments.sets)
    print("finders.csv and demands.csv in results/tentacle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
