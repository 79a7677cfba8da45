"""What is wrong, and where: the first character of the piece of text that would have to change."""

from typing import NamedTuple


class Position(NamedTuple):
    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class StreamItError(Exception):
    def __init__(self, at: Position, message: str) -> None:
        super().__init__(f"{at}: {message}")
        self.at = at
        self.message = message
