"""Keys and values: every key that `braid list configuration` names gets values at and beyond the ends of its range, of
other types, of other keys; each `--set section.key=value` is given to `braid check` with an example. What ends
otherwise than well, or with one line, is kept in results/fuzz/pairs."""

from __future__ import annotations

import random
import re
import sys
from functools import cache

from braid_tools.gates.fuzzing import NUMBERS, TOKENS, Input, bases, job
from braid_tools.program import ROOT, braid

OUT = ROOT / "results" / "fuzz" / "pairs"
ROW = re.compile(r"\| `(\w+)` \| ([^|]*) \| `?([^|`]*)`? \|")
RANGE = re.compile(r"(-?[\d.e+]+) to (-?[\d.e+]+)")


@cache
def options() -> list[tuple[bytes, list[bytes]]]:
    """section.key of every key, with what it is near to accept."""
    section, found = "", []
    for line in braid("list", "configuration").splitlines():
        if line.startswith("## ["):
            section = line[4:-1]
        elif row := ROW.match(line):
            name, expected, default = row.groups()
            values = [default, *(expected.removeprefix("one of: ").split(", ") if "one of" in expected else [])]
            if ends := RANGE.search(expected):
                low, high = (float(end) for end in ends.groups())
                whole = "integer" in expected
                values += [str(int(v) if whole else v) for v in (low, low + 1, low - 1, high, high + 1, low * 2 + 1)]
            found.append((f"{section}.{name}".encode(), [value.encode() for value in values]))
    return found


@cache
def experiments() -> list[dict[str, bytes]]:
    """The examples, with their files."""
    return bases()


def make_pair(seed: int) -> Input:
    """The same for the same seed: one pair."""
    chance = random.Random(seed)
    key, values = chance.choice(options())
    if chance.random() < 0.4:
        values = [*NUMBERS, *(token for token in TOKENS if isinstance(token, bytes)), *chance.choice(options())[1]]
    value = chance.choice(values).replace(b"\0", b"")
    return Input(dict(chance.choice(experiments())), [key + b"=" + value])


if __name__ == "__main__":
    sys.exit(job(__doc__, OUT, make_pair))
