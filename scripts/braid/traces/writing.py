"""A trace as a file, in both forms (docs/traces.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import BinaryIO

from braid.errors import InputError


@dataclass
class Packet:
    """One of a trace. Ids, and what it comes after, count from 0 in the order of the file."""

    cycle: int
    source: int
    destination: int
    flits: int
    traffic_class: int = 0
    after: list[int] = field(default_factory=list)
    delay: int = 0


class Writer:
    """Hands packets on to a file that is open; ids are their places."""

    def __init__(self, out: BinaryIO, name: str, nodes: int, classes: list[str]) -> None:
        if not name.endswith((".trace", ".btrace")):
            raise InputError(f"{name}: a trace is a .trace file (text) or a .btrace file (binary)")
        self._out = out
        self._binary = name.endswith(".btrace")
        self.packets = self._last_cycle = 0
        self.longest_reach = 0
        if self._binary:
            out.write(b"BRAIDTRC" + varint(1) + varint(nodes) + varint(len(classes)))
            for one in classes:
                out.write(varint(len(one)) + one.encode())
        else:
            out.write(
                f"braid-trace 1\nnodes {nodes}\n".encode() + b"".join(b"class %s\n" % c.encode() for c in classes)
            )

    def add(self, p: Packet) -> None:
        """The next one."""
        number = self.packets
        self.packets += 1
        self.longest_reach = max([self.longest_reach, *(number - before for before in p.after)])
        self._out.write(self._bytes(p, number) if self._binary else self._line(p, number))
        self._last_cycle = p.cycle

    def end(self) -> None:
        """Nothing follows."""
        self._out.write(b"\0" + varint(self.packets) if self._binary else b"end %d\n" % self.packets)

    def _line(self, p: Packet, number: int) -> bytes:
        words = f"{number} {p.cycle} {p.source} {p.destination} {p.flits} {p.traffic_class}"
        if p.after:
            words += f" after {','.join(map(str, p.after))}" + (f" delay {p.delay}" if p.delay else "")
        return words.encode() + b"\n"

    def _bytes(self, p: Packet, number: int) -> bytes:
        numbers = [
            1,
            3 if p.after else 1,
            p.cycle - self._last_cycle,
            p.source,
            p.destination,
            p.flits,
            p.traffic_class,
        ]
        if p.after:
            numbers += [len(p.after), *(number - before for before in p.after), p.delay]
        return b"".join(map(varint, numbers))


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth is set where more follow."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
