"""Traces of Netrace (www.cs.utexas.edu/~netrace), version 1: memory traffic of programs, with dependencies.

The file, little-endian, often packed by bzip2: a header of 72 bytes (magic number, version, name of the program, nodes,
cycles, packets, length of the notes, regions), the notes, 24 bytes a region, then packets of 21 bytes (cycle,
id, address, type, source, destination, kinds of both nodes, number of dependents) and 4 bytes for each dependent: the
id of a packet that may not go before this one has arrived.
"""

from __future__ import annotations

import bz2
import gzip
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from braid.errors import InputError
from braid.traces.writing import Packet, Writer

HEADER = struct.Struct("<If30sBxQQII8x")
REGION_BYTES = 24
PACKET = struct.Struct("<QIIBBBBB")
MAGIC = 0x484A5455
CLASSES = ["requests", "responses"]
SHORT, LONG = 8, 72  # bytes
#: Type: bytes, class.
TYPES = {
    1: (SHORT, 0),  # read
    2: (LONG, 1),
    3: (LONG, 1),  # ... with invalidate
    4: (LONG, 0),  # write
    5: (SHORT, 1),
    6: (LONG, 0),  # write back
    13: (SHORT, 0),  # upgrade
    14: (SHORT, 1),
    15: (SHORT, 0),  # read exclusive
    16: (LONG, 1),
    25: (SHORT, 1),  # bad address
    27: (SHORT, 0),  # invalidate
    28: (SHORT, 1),
    29: (SHORT, 0),  # downgrade
    30: (LONG, 1),
}


@dataclass
class Record:
    """A packet as Netrace has it."""

    cycle: int
    id: int
    kind: int
    source: int
    destination: int
    dependents: tuple[int, ...]


class NetraceFile:
    """A file that is read once, from its beginning on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._in = opened(file)
        self.offset = 0
        magic, version, _, self.nodes, _, self.packets, notes, regions = HEADER.unpack(
            self._take(HEADER.size, "a header")
        )
        if magic != MAGIC:
            raise self.refusal(f"is no trace of Netrace: begins with {magic:#x}, expected {MAGIC:#x}")
        if version != 1.0:
            raise self.refusal(f"is of version {version:g} of Netrace's form: expected 1")
        self._take(notes, "the header's notes")
        self._take(regions * REGION_BYTES, "the header's regions")

    def refusal(self, why: str) -> InputError:
        """In one line, with the place."""
        return InputError(f"{self.file}: byte {self.offset}: {why}")

    def _take(self, size: int, what: str) -> bytes:
        try:
            got = self._in.read(size)
        except (OSError, EOFError) as e:
            raise self.refusal(f"cannot be unpacked: {e}") from None
        if len(got) != size:
            raise self.refusal(f"the file breaks off: expected {what}")
        self.offset += size
        return got

    def records(self) -> Iterator[Record]:
        """As many as the header says, in the file's order."""
        for i in range(self.packets):
            what = f"packet {i + 1} of {self.packets}"
            cycle, number, _, kind, source, destination, _, count = PACKET.unpack(self._take(PACKET.size, what))
            dependents = struct.unpack(f"<{count}I", self._take(4 * count, f"{count} dependents of {what}"))
            yield Record(cycle, number, kind, source, destination, dependents)


def opened(file: str) -> BinaryIO:
    """Unpacked as its first bytes say."""
    try:
        with Path(file).open("rb") as raw:
            begin = raw.read(3)
        if begin == b"BZh":
            return bz2.open(file)  # type: ignore[return-value]
        if begin[:2] == b"\x1f\x8b":
            return gzip.open(file)  # type: ignore[return-value]
        return Path(file).open("rb")
    except OSError as e:
        raise InputError(f"{file}: cannot be read: {e.strerror}") from None


@dataclass
class Imported:
    """What was written, for whoever replays it."""

    nodes: int
    packets: int = 0
    dependencies: int = 0
    lost: int = 0  # dependencies on packets that the file has not, or that stand before


def convert(source: NetraceFile, out: Writer, flit_bytes: int, most: int | None) -> Imported:
    """Netrace names for each packet those that wait for it; a trace names for each those that it waits for. In memory
    are the dependencies of packets that have not come yet."""
    waits: dict[int, list[tuple[int, int]]] = {}  # [Netrace's id] places and destinations of what it comes after
    result = Imported(source.nodes)
    last = 0
    for r in source.records():
        if most is not None and result.packets == most:
            break
        if r.kind not in TYPES:
            raise source.refusal(
                f"packet {r.id} is of type {r.kind}, which carries nothing: expected one of {[*TYPES]}"
            )
        if max(r.source, r.destination) >= source.nodes:
            node = max(r.source, r.destination)
            raise source.refusal(f"packet {r.id}: node {node}: expected 0 to {source.nodes - 1}")
        if r.cycle < last:
            raise source.refusal(f"packet {r.id}: cycle {r.cycle} after cycle {last}: expected cycles that never fall")
        last = r.cycle
        size, traffic_class = TYPES[r.kind]
        before = waits.pop(r.id, [])
        elsewhere = any(destination != r.source for _, destination in before)
        for dependent in r.dependents:
            waits.setdefault(dependent, []).append((result.packets, r.destination))
        out.add(
            Packet(
                r.cycle,
                r.source,
                r.destination,
                -(-size // flit_bytes),
                traffic_class,
                [place for place, _ in before],
                1 if elsewhere else 0,
            )
        )
        result.packets += 1
        result.dependencies += len(before)
    result.lost = sum(map(len, waits.values()))
    return result
