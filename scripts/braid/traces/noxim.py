"""Traffic tables of Noxim (github.com/davidepatti/noxim): who sends to whom, at which rate, in which part of a period.

A line is `SOURCE DESTINATION [PIR [POR [T_ON T_OFF T_PERIOD]]]`; `%` begins a comment. In each cycle a node makes at
most one packet: with the sum of PIR over its lines that are on (of POR in the cycle after it made one), and to one of
them in proportion. A table holds rates and no packets: they are drawn here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from braid.errors import InputError
from braid.traces.writing import Packet, Writer


@dataclass(frozen=True)
class Communication:
    """A line of the table."""

    source: int
    destination: int
    pir: float
    por: float
    on: int
    off: int
    period: int

    def is_on(self, cycle: int) -> bool:
        """In that cycle."""
        return self.period == 0 or self.on <= cycle % self.period < self.off


def read_table(file: str, pir: float) -> list[Communication]:
    """`pir`: of lines that have none. Its lines in their order."""
    try:
        text = Path(file).read_text(errors="replace")
    except OSError as e:
        raise InputError(f"{file}: cannot be read: {e.strerror}") from None
    found = [
        communication(f"{file}:{number}", line.split("%")[0].split(), pir)
        for number, line in enumerate(text.splitlines(), 1)
        if line.split("%")[0].strip()
    ]
    if not found:
        raise InputError(f"{file}: holds no line SOURCE DESTINATION")
    return found


def communication(place: str, words: list[str], pir: float) -> Communication:
    """One line."""
    if len(words) not in (2, 3, 4, 7):
        raise InputError(f"{place}: {len(words)} words: expected SOURCE DESTINATION [PIR [POR [T_ON T_OFF T_PERIOD]]]")
    source, destination = (whole(place, word, "a node") for word in words[:2])
    rate = share(place, words[2], "PIR") if len(words) > 2 else pir
    again = share(place, words[3], "POR") if len(words) > 3 else rate
    on, off, period = (whole(place, word, "a cycle") for word in words[4:]) if len(words) == 7 else (0, 0, 0)
    if len(words) == 7 and not on < off <= period:
        raise InputError(f"{place}: {on} {off} {period}: expected T_ON < T_OFF <= T_PERIOD")
    return Communication(source, destination, rate, again, on, off, period)


def whole(place: str, word: str, what: str) -> int:
    """A number of no sign."""
    if not word.isascii() or not word.isdigit() or len(word) > 9:
        raise InputError(f'{place}: "{word[:60]}": expected {what}, 0 or more')
    return int(word)


def share(place: str, word: str, what: str) -> float:
    """0 to 1."""
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f'{place}: "{word[:60]}": expected {what}, 0 to 1')
    return value


def drawn(table: list[Communication], cycles: int, seed: int) -> Iterator[tuple[int, Communication]]:
    """Cycle and line of each packet, by cycle and source."""
    chance = random.Random(seed)
    by_source: dict[int, list[Communication]] = {}
    for one in table:
        by_source.setdefault(one.source, []).append(one)
    sent_before = dict.fromkeys(by_source, False)
    for cycle in range(cycles):
        for source in sorted(by_source):
            rest = chance.random()
            again, sent_before[source] = sent_before[source], False
            for one in by_source[source]:
                if not one.is_on(cycle):
                    continue
                rest -= one.por if again else one.pir
                if rest < 0:
                    yield cycle, one
                    sent_before[source] = True
                    break


def convert(table: list[Communication], out: Writer, cycles: int, flits: int, seed: int) -> int:
    """How many packets."""
    for cycle, one in drawn(table, cycles, seed):
        out.add(Packet(cycle, one.source, one.destination, flits))
    return out.packets
