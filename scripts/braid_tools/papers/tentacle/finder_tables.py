"""Compares the finders of link-disjoint paths (braid_tools.papers.tentacle.finders).

python -m braid_tools.papers.tentacle.finder_tables [--quick] writes finders.csv and demands.csv into results/tentacle.
"""

from __future__ import annotations

import argparse
import sys

from braid_tools.papers.tentacle.finders import compare_finders, compare_on_demands
from braid_tools.study import Study


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="4x4 and few layouts")
    study = Study("tentacle", quick=parser.parse_args().quick)
    for row in compare_finders(study):
        print(f"{row.verdict:9} {row.quantity}{': ' if row.note else ''}{row.note}")
    compare_on_demands(study)
    print("finders.csv and demands.csv in results/tentacle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
