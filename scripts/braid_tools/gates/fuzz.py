"""The program under wrong input: seeded mutations of every example and of the files it names, each given to
`braid check`. Every exit status is accounted for: 0, or 2 with one line that a terminal can show. What ends otherwise
is kept, with its command, in results/fuzz/program; the exit status is then 1."""

from __future__ import annotations

import sys

from braid_tools.gates.fuzzing import job


def main() -> int:
    """Entry point."""
    return job(__doc__)


if __name__ == "__main__":
    sys.exit(main())
