"""A small reference reader of StreamIt 2.x, for tests: text to tokens, syntax tree, streams, flat graph.

It follows the language as MIT's compiler reads it and shares nothing with Braid's own reader, which is held to it.
"""

from .elaborate import elaborate
from .errors import Position, StreamItError
from .flatten import FlatGraph, flatten
from .parser import parse

__all__ = ["FlatGraph", "Position", "StreamItError", "elaborate", "flatten", "parse", "read"]


def read(*files: str) -> FlatGraph:
    """The flat graph of a program that may be spread over several files; StreamItError if it is wrong."""
    return flatten(elaborate(parse(*files)))
