"""What goes beyond tentacle-routing, by itself: `python -m braid_tools.papers.tentacle.beyond_tables`.

With [--only packets|8x8|16x16|side] a part of it. Into results/tentacle, the rows to beyond.csv; in
`scripts/reproduce tentacle` they are part of comparison.csv.
"""

from __future__ import annotations

import argparse
import sys

from braid_tools.comparison import write
from braid_tools.papers.tentacle.beyond import PARTS, rows_beyond
from braid_tools.study import Study


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=list(PARTS), default="", help="one of the parts")
    study = Study("tentacle")
    rows = rows_beyond(study, only=parser.parse_args().only)
    write(study.folder / "beyond.csv", rows)
    for row in rows:
        print(f"{row.verdict:9} {row.quantity}: {row.measured:.4g}, {row.published:.4g} {row.note}")
    return int(any(row.verdict == "differs" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
