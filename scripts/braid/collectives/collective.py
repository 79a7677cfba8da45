"""A collective under way: each of its ranks takes part from when it has come to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from braid.collectives.plan import Plan
from braid.collectives.trace import Operation
from braid.collectives.transfers import Transfers
from braid.errors import InputError


@dataclass(frozen=True)
class Key:
    """What all ranks must agree on."""

    operation: str
    size: int

    def __str__(self) -> str:
        return f"{self.operation} of {self.size} bytes"


@dataclass
class Collective:
    """The n-th one of a group."""

    name: str
    key: Key
    algorithm: str
    ranks: list[int]
    """The group's, by their place in it."""
    plan: Plan
    first_start: int
    """Cycle in which the first rank came to it."""
    last_end: int = 0
    _waits: list[int] = field(default_factory=list)  # [message] arrivals and begins that it waits for
    _then: list[list[int]] = field(default_factory=list)  # [message] those that come after it
    _left: list[int] = field(default_factory=list)  # [place in the group] messages from or to it
    _done: dict[int, Callable[[], None]] = field(default_factory=dict)  # by place, from its begin to its end

    def __post_init__(self) -> None:
        messages = self.plan.messages
        self._waits = [len(message.after) + 1 for message in messages]
        self._then = [[] for _ in messages]
        self._left = [0] * len(self.ranks)
        for number, message in enumerate(messages):
            self._left[message.source] += 1
            self._left[message.destination] += 1
            for after in message.after:
                self._then[after].append(number)

    def begin(self, rank: int, operation: Operation, key: Key, transfers: Transfers, done: Callable[[], None]) -> None:
        """A rank has come to it. Raises InputError where it has come for something else."""
        if key != self.key:
            raise InputError(f"{operation.place}: {key}, where another rank of its group has {self.key}")
        place = self.ranks.index(rank)
        self._done[place] = done
        for number, message in enumerate(self.plan.messages):
            if message.source == place:
                self._one_less(number, transfers)
        self._end_if_done(place)

    def _one_less(self, number: int, transfers: Transfers) -> None:
        self._waits[number] -= 1
        if self._waits[number] > 0:
            return
        message = self.plan.messages[number]
        size = self.plan.bytes_of(message)
        transfers.send(
            self.ranks[message.source], self.ranks[message.destination], size, lambda: self._arrived(number, transfers)
        )

    def _arrived(self, number: int, transfers: Transfers) -> None:
        for other in self._then[number]:
            self._one_less(other, transfers)
        message = self.plan.messages[number]
        for place in (message.source, message.destination):
            self._left[place] -= 1
            self._end_if_done(place)

    def _end_if_done(self, place: int) -> None:
        if self._left[place] == 0 and place in self._done:
            self._done.pop(place)()
