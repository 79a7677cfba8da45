"""The language of BookSim 2's configuration files: `key = value;`, `//` comments, lists `{a,b}`; and its second form
with `[section]` headings, one `key = value` a line (ONNXim)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from braid.errors import InputError


@dataclass(frozen=True)
class Place:
    """Where something stands. Words of the command line have no lines."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def error(self, message: str) -> InputError:
        """What is wrong here."""
        return InputError(f"{self}: {message}")


@dataclass(frozen=True)
class Setting:
    """A key and the text of its value."""

    key: str
    text: str
    place: Place

    def __str__(self) -> str:
        return f"{self.key} = {self.text}"

    def error(self, message: str) -> InputError:
        """What is wrong with the value; a word of the command line is its own place."""
        return self.place.error(f"{self}: {message}" if self.place.line else message)


#: As BookSim's scanner has them: the longest match counts, of equal ones the first.
_VALUE = {
    "list": re.compile(r"\{[A-Za-z0-9_\-.({,)}]+\}"),
    "number": re.compile(r"-?(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?"),
    "word": re.compile(r"[A-Za-z_\-/.][A-Za-z0-9_\-/.+({,)}]*"),
}
_NOTHING = re.compile(r"(?:[ \t\r\n]|//[^\n]*)*")
_SECTION = re.compile(r"[ \t]*\[([^\]\n]*)\][ \t\r]*$")
_EXPECTED = "expected KEY = VALUE; with a number, a word or a list {a,b} without blanks"


class _Scanner:
    def __init__(self, text: str, file: str, *, has_lines: bool) -> None:
        self._text, self._file, self._has_lines = text, file, has_lines
        self._at = 0
        self.skip()

    def skip(self) -> None:
        """Blanks and comments."""
        found = _NOTHING.match(self._text, self._at)
        self._at = found.end() if found else self._at

    @property
    def ended(self) -> bool:
        return self._at >= len(self._text)

    def place(self) -> Place:
        before = self._text[: self._at]
        column = self._at - (before.rfind("\n") + 1) + 1
        return Place(self._file, before.count("\n") + 1, column) if self._has_lines else Place(self._file)

    def take(self, kinds: tuple[str, ...], what: str) -> str:
        """The longest of these here."""
        found = [match[0] for kind in kinds if (match := _VALUE[kind].match(self._text, self._at))]
        if not found:
            raise self.unexpected(what)
        longest = max(found, key=len)
        self._at += len(longest)
        self.skip()
        return longest

    def take_sign(self, sign: str) -> None:
        if not self._text.startswith(sign, self._at):
            raise self.unexpected(f'"{sign}"')
        self._at += 1
        self.skip()

    def unexpected(self, what: str) -> InputError:
        line = self._text[self._at :].split("\n", 1)[0].split()
        there = f'"{line[0]}"' if line else "the end"
        return self.place().error(f"expected {what}, found {there}; {_EXPECTED}")


def _commands(text: str, file: str, *, has_lines: bool) -> Iterator[Setting]:
    scanner = _Scanner(text, file, has_lines=has_lines)
    while not scanner.ended:
        place = scanner.place()
        key = scanner.take(("word",), "a key")
        scanner.take_sign("=")
        value = scanner.take(("list", "number", "word"), "a value")
        if has_lines or not scanner.ended:  # the command line needs no ; at its end
            scanner.take_sign(";")
        yield Setting(key, value, place)


def _sections(text: str, file: str) -> Iterator[Setting]:
    """The form of Boost's readers of INI files: a comment is a line of its own, behind ; or #."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        column = len(line) - len(line.lstrip()) + 1
        if not bare or bare[0] in ";#" or _SECTION.match(line):
            continue
        key, equals, value = (part.strip() for part in bare.partition("="))
        place = Place(file, number, column)
        if not equals or not _VALUE["word"].fullmatch(key):
            raise place.error(f'found "{bare}"; expected KEY = VALUE, as the file has a [section]')
        if not any(pattern.fullmatch(value) for pattern in _VALUE.values()):
            raise place.error(f'{key}: found "{value}"; expected a number, a word or a list {{a,b}} without blanks')
        yield Setting(key, value, place)


def _first_line(text: str) -> str:
    lines = (line for line in text.splitlines() if line.strip() and line.strip()[0] not in ";#")
    return next(lines, "")


def settings_of(text: str, file: str) -> list[Setting]:
    """Of a file's text, in its order."""
    if _SECTION.match(_first_line(text)):
        return list(_sections(text, file))
    return list(_commands(text, file, has_lines=True))


def setting_of_word(word: str) -> Setting:
    """Of `key=value` on the command line."""
    found = list(_commands(word, word, has_lines=False))
    if len(found) != 1:
        raise InputError(f"{word}: expected one KEY=VALUE")
    return found[0]
