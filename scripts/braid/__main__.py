"""`python -m braid ...` and the command `braid` of an installed package. Commands of Python run here; for all others
the program takes this process's place."""

from __future__ import annotations

import os
import sys

from braid import native
from braid.errors import BraidError
from braid.explore import command_line


def main() -> int:
    """The exit status; never returns where the program takes over."""
    words = sys.argv[1:]
    if words and words[0] in command_line.COMMANDS:
        return command_line.run(words)
    try:
        program = str(native.program())
    except BraidError as e:
        print(f"braid: {e}", file=sys.stderr)
        return e.status
    os.execv(program, ["braid", *words])


if __name__ == "__main__":
    sys.exit(main())
