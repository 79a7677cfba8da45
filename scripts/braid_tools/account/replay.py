"""The account of a replayed trace (docs/traces.md): when each of its packets should have gone, by the trace and by when
the log says that others arrived. The reader of traces is this file's own."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from braid_tools.account.figures import Tree
from braid_tools.account.log import NEVER, Log


@dataclass
class Record:
    """A packet of the trace."""

    cycle: int | None
    source: int
    destination: int
    flits: int
    traffic_class: int
    after: list[int]  # places in the file
    delay: int


def read_trace(file: Path) -> tuple[list[str], list[Record]]:
    """Names of classes, packets."""
    data = file.read_bytes()
    return binary(data[8:]) if data.startswith(b"BRAIDTRC") else text(data.decode())


def text(data: str) -> tuple[list[str], list[Record]]:
    """Of the form of lines."""
    lines = [line.split("#")[0].strip() for line in data.splitlines()]
    classes = [line.removeprefix("class ") for line in lines if line.startswith("class ")]
    places: dict[int, int] = {}
    records = []
    for line in lines:
        words = line.split()
        if not words or not words[0].isdigit():
            continue
        places[int(words[0])] = len(records)
        cycle = None if words[1] == "-" else int(words[1])
        after = [places[int(word)] for word in words[7].split(",")] if len(words) > 6 else []
        delay = int(words[9]) if len(words) > 8 else 0
        records.append(Record(cycle, *map(int, words[2:6]), after, delay))
    return classes, records


def numbers(data: bytes) -> Iterator[int]:
    """Seven bits a byte."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def binary(data: bytes) -> tuple[list[str], list[Record]]:
    """Of the form of bytes: a name is read as numbers, as no letter is above 127."""
    stream = numbers(data)
    _, _, count = next(stream), next(stream), next(stream)
    classes = ["".join(chr(next(stream)) for _ in range(next(stream))) for _ in range(count)]
    places: dict[int, int] = {}
    records: list[Record] = []
    number = last = 0
    while step := next(stream):
        number += step
        places[number] = len(records)
        has = next(stream)
        cycle = None
        if has & 1:
            cycle = last = last + next(stream)
        source, destination, flits, traffic_class = (next(stream) for _ in range(4))
        after = [places[number - next(stream)] for _ in range(next(stream))] if has & 2 else []
        records.append(Record(cycle, source, destination, flits, traffic_class, after, next(stream) if has & 2 else 0))
    return classes, records


class Replay:
    """Goes through the trace in the order in which its packets went."""

    def __init__(self, log: Log, configuration: Tree, end: int, complaints: list[str]) -> None:
        options = configuration["replay"]
        self.classes, self.records = read_trace(Path(options["file"]))
        self.by, self.window = options["by"], options["window"]
        self.log, self.end, self.complaints = log, end, complaints
        mine = np.flatnonzero(np.isin(log.kind, self.classes))
        self.rows = {(int(log.source[i]), int(log.sequence[i])): int(i) for i in mine}
        self.made = self.held_back = 0
        self.delivered: list[int | None] = [None] * len(self.records)  # cycle, of those that went
        self.followers: dict[int, list[int]] = {}
        self.pending = [len(r.after) for r in self.records]
        self.entry = [0] * len(self.records)  # cycle, by dependency
        self.next_sequence: dict[int, int] = {}
        self.heap: list[tuple[int, int]] = []
        self.entered = self.prefix = self.prefix_end = 0
        for place, record in enumerate(self.records):
            for before in record.after:
                self.followers.setdefault(before, []).append(place)

    def check(self) -> None:
        """Every packet of the log is one of the trace's, made when it should be."""
        if self.by == "time":
            self.heap = [(r.cycle or 0, place) for place, r in enumerate(self.records)]
            heapq.heapify(self.heap)
        else:
            self.enter()
        while self.heap:
            due, place = heapq.heappop(self.heap)
            if due >= self.end:
                break
            self.go(due, place)
        if self.made != len(self.rows):
            self.complaints.append(f"{len(self.rows)} packets of the trace went, {self.made} should have")

    def go(self, due: int, place: int) -> None:
        """The packet should go in that cycle."""
        record = self.records[place]
        sequence = self.next_sequence.get(record.source, 0)
        self.next_sequence[record.source] = sequence + 1
        row = self.rows.get((record.source, sequence))
        if row is None:
            self.complaints.append(f"packet {place} of the trace should have gone in cycle {due}")
            return
        self.made += 1
        kind = self.classes[record.traffic_class]
        expected = (due, record.destination, record.flits, kind)
        log = self.log
        found = (int(log.created[row]), int(log.destination[row]), int(log.flits[row]), str(log.kind[row]))
        if found != expected:
            self.complaints.append(f"packet {place} of the trace: {found} in the log, {expected} by the trace")
        if self.by == "time" or log.delivered[row] == NEVER:
            return
        self.delivered[place] = int(log.delivered[row])
        for follower in self.followers.get(place, []):
            self.pending[follower] -= 1
            if self.pending[follower] == 0 and follower < self.entered:
                self.push(follower)
        self.enter()

    def enter(self) -> None:
        """By dependency a packet is looked at when the one so many before it, and all before that, have arrived."""
        while self.entered < len(self.records):
            while self.prefix + self.window < self.entered + 1:
                if self.prefix < self.entered and self.delivered[self.prefix] is not None:
                    self.prefix_end = max(self.prefix_end, self.delivered[self.prefix] + 1)
                    self.prefix += 1
                else:
                    return
            place = self.entered
            self.entered += 1
            self.entry[place] = self.prefix_end
            if self.pending[place] == 0:
                self.push(place)

    def push(self, place: int) -> None:
        """All that it comes after have gone, and will arrive."""
        record, entered = self.records[place], self.entry[place]
        arrivals = [self.delivered[before] for before in record.after]
        due = max([cycle + record.delay for cycle in arrivals if cycle is not None], default=record.cycle or 0)
        if self.by == "both" and record.cycle is not None:
            due = max(due, record.cycle)
        if due < entered < self.end:
            self.held_back += 1
        heapq.heappush(self.heap, (max(due, entered), place))


def replay(log: Log, configuration: Tree, end: int, complaints: list[str]) -> Tree:
    """The figures."""
    run = Replay(log, configuration, end, complaints)
    run.check()
    mine = np.isin(log.kind, run.classes)
    delivered = log.delivered[mine & (log.delivered != NEVER)]
    figures: Tree = {
        "trace_packets": len(run.records),
        "made_packets": int(mine.sum()),
        "delivered_packets": len(delivered),
        "delivered_share": len(delivered) / len(run.records) if run.records else 0.0,
        "held_back_packets": run.held_back,
    }
    if len(delivered):
        figures["last_delivery_cycle"] = int(delivered.max())
    return figures


def classes_of_trace(configuration: Tree) -> list[str]:
    """Names."""
    return read_trace(Path(configuration["replay"]["file"]))[0]
