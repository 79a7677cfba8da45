"""Who sends what to whom, and after what, so that a group of ranks has done a collective.

A rank's data are `pieces`, numbered from 0; a message carries some of them. What it carries is either summed up with
what its destination has (it *reduces*), or takes its place. So a plan can be checked without a network: everybody must
end with what the collective promises, and nothing may be summed twice (tb/python/braid/collectives/test_plans.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Number = int  # of a message in its plan


@dataclass(frozen=True)
class Message:
    """From a rank of the group to another; ranks count from 0."""

    source: int
    destination: int
    pieces: tuple[int, ...]
    reduces: bool
    after: tuple[Number, ...]
    """What must have arrived at its source."""


class Plan:
    """The messages of a collective, in the order in which a rank that could send several would."""

    def __init__(self, ranks: int, pieces: int, size: int) -> None:
        """`size`: bytes of all pieces together, which are as equal as whole bytes can be."""
        self.ranks = ranks
        self.pieces = pieces
        self.messages: list[Message] = []
        self._bytes = [size // pieces + (piece < size % pieces) for piece in range(pieces)]

    def send(
        self, source: int, destination: int, pieces: Sequence[int], *, reduces: bool, after: Iterable[Number] = ()
    ) -> Number:
        """One message more; its number."""
        self.messages.append(Message(source, destination, tuple(pieces), reduces, tuple(after)))
        return len(self.messages) - 1

    def bytes_of(self, message: Message) -> int:
        """What it carries."""
        return sum(self._bytes[piece] for piece in message.pieces)

    def all_pieces(self) -> range:
        """Their numbers."""
        return range(self.pieces)
