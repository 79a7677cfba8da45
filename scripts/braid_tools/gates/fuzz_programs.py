"""StreamIt programs under mutation: as gates.fuzz, each given to `braid graph`. What ends otherwise than well, or with
one line, is kept in results/fuzz/streamit."""

from __future__ import annotations

import random
import sys
from functools import cache

from braid_tools.gates.fuzzing import Input, job, mutate
from braid_tools.program import ROOT

OUT = ROOT / "results" / "fuzz" / "streamit"
FOLDERS = ("tb/python/streamit/programs", "traffic/streams/programs")
#: What the language is made of; many of a kind in one another are what its reader is to be bound by.
TOKENS = [
    *b"( ) { } [ ] ; -> , . ? : = == ++ - ! ~ add body loop split join enqueue push pop peek init work".split(),
    *b"int float complex void filter pipeline splitjoin feedbackloop struct helper static include while".split(),
    *(
        b"[1]",
        b"roundrobin(0)",
        b"duplicate",
        b"for(;;)",
        b"if(true)",
        b"2147483647",
        b"1e38",
        b'"',
        b"/*",
        b"\\",
        b"\0",
    ),
]


@cache
def programs() -> list[tuple[str, bytes]]:
    """The programs there are."""
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder).glob("*.str"))]
    return [(file.name, file.read_bytes()) for file in files]


def make_program(seed: int) -> Input:
    """The same for the same seed."""
    chance = random.Random(seed)
    (name, text), (_, other) = chance.choice(programs()), chance.choice(programs())
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if chance.random() < 0.5:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(TOKENS) * chance.choice([1, 1, 2, 150, 60_000]) + text[at:]
        else:
            text = mutate(chance, text, other)
    return Input({name: text}, [], b"graph")


if __name__ == "__main__":
    sys.exit(job(__doc__, OUT, make_program))
