"""`python -m braid ...` and the command `braid` of an installed package: the program takes this process's place."""

from __future__ import annotations

import os
import sys

from braid import native
from braid.errors import BraidError


def main() -> int:
    """Never returns where the program is there."""
    try:
        program = str(native.program())
    except BraidError as e:
        print(f"braid: {e}", file=sys.stderr)
        return e.status
    os.execv(program, ["braid", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
