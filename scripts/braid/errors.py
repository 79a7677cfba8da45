"""What goes wrong, with the place where it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from braid.results import Result

_PLACE = re.compile(r"^(?P<file>.+?):(?:(?P<line>\d+):(?P<column>\d+):)? ")
_NEAREST = re.compile(r'did you mean "([^"]+)"\?')


class BraidError(RuntimeError):
    """Braid said no. The text is Braid's own line; `status` is the exit status that the program has for it."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class InputError(BraidError):
    """Something in an experiment, a setting or a call is wrong.

    file, line, column: the place, where the message says one (lines and columns count from 1).
    nearest: the known name nearest to the one that nobody knows, or None.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, 2)
        place = _PLACE.match(message)
        self.file: str | None = place["file"] if place else None
        self.line: int | None = int(place["line"]) if place and place["line"] else None
        self.column: int | None = int(place["column"]) if place and place["column"] else None
        nearest = _NEAREST.search(message)
        self.nearest: str | None = nearest[1] if nearest else None


class DeadlockError(BraidError):
    """The watchdog ended a run: the message names the cycle of channels and packets that wait for each other.

    result: what is known of the run (`result.verdict`), or None for a network that was stepped.
    """

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message, 3)
        self.result = result


def input_error(message: str) -> InputError:
    """The exception of one line of complaint."""
    return InputError(message)


def error_of(status: int, message: str) -> BraidError:
    """The exception of the program's exit status and what it wrote to standard error."""
    line = message.strip().removeprefix("braid: ") or f"braid ended with status {status}"
    if status == 2:
        return InputError(line)
    if status == 3:
        return DeadlockError(line)
    return BraidError(line, status)
