"""A run's packet log, and the arithmetic that the account does on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow
from pyarrow import csv

TIMES = ("created", "injected", "left_queue", "delivered")
MESSAGES = ("message", "message_packets", "priority")
STREAMS = ("stream", "stream_packet")
NUMBERS = (
    *MESSAGES,
    *STREAMS,
    "source",
    "destination",
    "sequence",
    "flits",
    "measured",
    *TIMES,
    "routers",
    "deroutes",
    "escapes",
)
NEVER = -1
CLASS_OF = {
    "synthetic": "packets",
    "reply": "packets",
    "stream": "stream packets",
    "pull_request": "stream packets",
    "pull_response": "stream packets",
    "circuit": "circuits",
    "state": "stream packets",
    "broadcast": "broadcasts",
    "room": "broadcasts",
    "value": "all-reduces",
    "result": "all-reduces",
    "sat_signal": "sat_signal",
}
Hop = tuple[int, int, int]  # router, port by which the head came in, cycle in which it was routed


class Log:
    """Columns as arrays; an empty field is NEVER."""

    def __init__(self, file: Path):
        types = {
            **dict.fromkeys((*NUMBERS, "lost"), pyarrow.int64()),
            "kind": pyarrow.string(),
            "path": pyarrow.string(),
            "rests": pyarrow.string(),
        }
        options = csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=False)
        table = csv.read_csv(file, convert_options=options)
        if "path" not in table.column_names:
            raise ValueError(f"{file}: expected a log with log.path = true: every figure of links is made of the paths")
        if set(table.column_names) - {"lost", "rests"} != {"kind", "path", *NUMBERS}:
            raise ValueError(f"{file}: unexpected columns {table.column_names}")
        self.kind = table["kind"].to_numpy().astype(str)
        numbers = [name for name in table.column_names if types[name] == pyarrow.int64()]
        self.column = {name: table[name].fill_null(NEVER).to_numpy().copy() for name in numbers}
        self.column.setdefault("lost", np.full(len(self.kind), NEVER))  # only where a link can go down
        self.path_text: list[str] = table["path"].to_pylist()

    def __len__(self) -> int:
        """Packets."""
        return len(self.kind)

    def __getattr__(self, name: str) -> np.ndarray:
        """A column by its name."""
        try:
            return self.__dict__["column"][name]
        except KeyError:
            raise AttributeError(name) from None

    @cached_property
    def packet_class(self) -> np.ndarray:
        """Name of each packet's class in the results."""
        return np.array([CLASS_OF.get(kind, kind) for kind in self.kind])  # a replayed packet's is its class

    @cached_property
    def paths(self) -> list[list[Hop]]:
        """Routers in order."""
        return [[hop(word) for word in text.split()] for text in self.path_text]

    @cached_property
    def links_passed(self) -> np.ndarray:
        """Of each packet; between two visits of one router it rested, which is no link."""
        steps = [sum(a[0] != b[0] for a, b in pairwise(path)) for path in self.paths]
        return np.array(steps, dtype=np.int64)


def hop(word: str) -> Hop:
    """ROUTER:PORT@CYCLE."""
    router, rest = word.split(":")
    port, cycle = rest.split("@")
    return int(router), int(port), int(cycle)


@dataclass(frozen=True)
class Window:
    """The cycles of measurement."""

    begin: int
    end: int
    batch: int

    @property
    def cycles(self) -> int:
        """How many."""
        return self.end - self.begin

    @property
    def batches(self) -> int:
        """How many whole batches."""
        return self.cycles // self.batch

    def holds(self, cycles: np.ndarray) -> np.ndarray:
        """Which of the cycles lie in it."""
        return (self.begin <= cycles) & (cycles < self.end)

    def batch_of(self, cycles: np.ndarray) -> np.ndarray:
        """Number of the batch; only for cycles that it holds."""
        return (cycles - self.begin) // self.batch


def percentile(ordered: np.ndarray, share: Fraction) -> int:
    """Nearest rank: the least value that this share of all does not exceed."""
    return at_rank(ordered, math.ceil(share * len(ordered)))


def at_rank(ordered: np.ndarray, rank: int) -> int:
    """Of the values in order the one of this rank, from 1. From 2048 on values are kept in 32 classes an octave, each
    standing for its middle, but never for what lies outside all values."""
    first, width = value_class(int(ordered[rank - 1]))
    return min(max(first + width // 2, int(ordered[0])), int(ordered[-1]))


def value_class(value: int) -> tuple[int, int]:
    """The least value that is kept as one with this one, and how many are."""
    width = 1 if value < 2048 else 1 << (value.bit_length() - 6)
    return value // width * width, width


def mix(z: np.ndarray) -> np.ndarray:
    """splitmix64's finaliser."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def packet_hash(log: Log) -> str:
    """Over every delivered packet, in any order."""
    at = log.delivered != NEVER

    def column(name: str) -> np.ndarray:
        return log.column[name][at].astype(np.uint64)

    with np.errstate(over="ignore"):
        h = mix(column("source") << np.uint64(32) | column("destination"))
        h = mix(h + (column("sequence") << np.uint64(32) | column("flits")))
        h = mix(h + column("created"))
        h = mix(h + column("injected"))
        h = mix(h + (column("delivered") + (column("routers") << np.uint64(48))))
        return f"{int(h.sum(dtype=np.uint64)):016x}"
