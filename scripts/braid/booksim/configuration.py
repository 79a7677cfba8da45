"""The values of BookSim's keys: those that were given, and the defaults of all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from braid.booksim.grammar import Place, Setting
from braid.booksim.table import NUMBER, WHOLE, Ask, Kind, Row, Stream
from braid.errors import InputError
from braid.explore.where import nearest


def parts_of(text: str) -> list[str]:
    """Of a list {a,b}, whose parts may be lists; of anything else itself."""
    if not text.startswith("{"):
        return [text] if text else []
    parts, depth = [""], 0
    for letter in text[1:-1]:
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def converted(text: str, kind: Kind) -> Any:
    """The value of a text, or None where it is of another kind."""
    if kind is Kind.WHOLE:
        return int(text) if WHOLE.fullmatch(text) else None
    if kind is Kind.NUMBER:
        return float(text) if NUMBER.fullmatch(text) else None
    return text


class Configuration:
    """Every key of the table with its value."""

    def __init__(self, settings: Iterable[Setting], rows: Mapping[str, Row], file: str, stem: str = "booksim") -> None:
        """Of two settings of a key the last one counts, as in BookSim. `stem`: of files beside the experiment."""
        self._rows = rows
        self.place = Place(file)
        self.stem = stem
        self.given: dict[str, Setting] = {}
        for setting in settings:
            if setting.key not in rows:
                raise setting.place.error(f'BookSim 2 has no key "{setting.key}"{nearest(setting.key, list(rows))}')
            self.given.pop(setting.key, None)
            self.given[setting.key] = setting
        for key in self.given:
            self._check(key)
        self.classes = self.value("classes", 0)
        if not 1 <= self.classes <= 16:
            self.ask("classes", Stream(0)).refuse("expected 1 to 16")

    def row(self, key: str) -> Row:
        """What the table has of a key."""
        return self._rows[key]

    def _texts(self, key: str) -> list[str]:
        """Of each class, where the key is a list by class; one text else."""
        row, setting = self._rows[key], self.given.get(key)
        text = setting.text if setting else row.default
        return (parts_of(text) if row.by_class else [text]) or [row.default]

    def _check(self, key: str) -> None:
        setting = self.given[key]
        kind = self._rows[key].kind
        for text in self._texts(key):
            if converted(text, kind) is None:
                raise setting.error(f"expected {kind.value}")

    def value(self, key: str, number: int) -> Any:
        """Of a class: the last value of a list is also that of further classes."""
        texts = self._texts(key)
        value = converted(texts[min(number, len(texts) - 1)], self._rows[key].kind)
        if value is None:
            raise InputError(f"{self.place}: {key}: expected {self._rows[key].kind.value}")
        return value

    def ask(self, key: str, stream: Stream) -> Ask:
        """What a rule is asked."""
        return Ask(key, self.value(key, stream.number), self.given.get(key), self, stream)

    def streams(self) -> list[Stream]:
        """The sections [traffic] that there will be."""
        found = []
        for number in range(self.classes):
            name = f"class{number}" if self.classes > 1 else ""
            if not self.value("use_read_write", number):
                found.append(Stream(number, "", name))
                continue
            writes = self.value("write_fraction", number)
            kinds = [kind for kind, share in (("read", 1 - writes), ("write", writes)) if share > 0]
            found += [Stream(number, kind, name + kind) for kind in kinds]
        return found
