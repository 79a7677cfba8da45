"""A small reference reader of StreamIt 2.x, for tests: text to tokens, syntax tree, streams, flat graph.

It follows the language as MIT's compiler reads it and shares nothing with Braid's own reader, which is held to it. What
the language leaves open, or what is easily got wrong:

- Shifts bind like products; & | ^ are one level, from left to right, below comparisons (parser.py).
- An int has 32 bits and wraps; a float is rounded to single precision after every operation (values.py).
- The whole is the last void->void stream that no other one adds. Several files are read as one, in their order.
- Every splitter, joiner and edge counts, those with one branch or a weight of zero, too. Order of nodes: a splitjoin's
  splitter, branches, joiner; a feedback loop's joiner, body, splitter, loop. A splitter or joiner that moves nothing
  has 0 repetitions.
- A peek is at least the pop. Steady states are the smallest, container by container (balance.py).
- An error stands at the first character of what would have to change: the name behind `add` for a stream that does not
  fit or has the wrong arguments (of an anonymous one the word `pipeline`, `filter`, ...); a stream's name or, without
  one, that word for inconsistent rates, a missing part or a standstill; the first character of a rate, weight, index
  or divisor of 0; the sign for another operation; the word `while`, `for` or `do` for a loop without an end.

`python -m front_end FILE.str...` prints the graph as JSON.
"""

from .elaborate import elaborate
from .errors import Position, StreamItError
from .flatten import FlatGraph, flatten
from .parser import parse

__all__ = ["FlatGraph", "Position", "StreamItError", "elaborate", "flatten", "parse", "read"]


def read(*files: str) -> FlatGraph:
    """The flat graph of a program that may be spread over several files; StreamItError if it is wrong."""
    return flatten(elaborate(parse(*files)))
