"""A row of the table of BookSim's keys: the key's type and default, and the rule that says what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

from braid.booksim.grammar import Setting
from braid.explore.where import nearest

if TYPE_CHECKING:
    from braid.booksim.configuration import Configuration

WHOLE = re.compile(r"-?[0-9]+")
NUMBER = re.compile(r"-?(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?")


class Kind(Enum):
    """Of a value."""

    WHOLE = "a whole number"
    NUMBER = "a number"
    WORD = "a word"


class Fate(Enum):
    """What became of a key."""

    MAPPED = "mapped"
    SAME = "as in Braid"
    DIFFERS = "differs"
    NO_EFFECT = "of no effect"


@dataclass(frozen=True)
class Answer:
    """What a rule says of a value: keys of Braid, and what is to be known of it."""

    keys: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    fate: Fate = Fate.MAPPED
    files: Mapping[str, str] = field(default_factory=dict)  # beside the experiment: name -> text


@dataclass(frozen=True)
class Stream:
    """Packets of one [[traffic]] section: a class of BookSim's, or its reads or writes."""

    number: int
    kind: str = ""  # "read", "write"; "": neither requests nor replies
    name: str = ""  # "": the only section

    @property
    def request(self) -> str:
        """Beginning of the keys of its requests: read_request."""
        return f"{self.kind}_request"

    @property
    def reply(self) -> str:
        """... and of its replies."""
        return f"{self.kind}_reply"


@dataclass(frozen=True)
class Ask:
    """A value, and whoever else a rule needs to know."""

    key: str
    value: Any
    setting: Setting | None  # None: BookSim's default
    all: Configuration
    stream: Stream

    def of(self, key: str) -> Any:
        """Another key's value, of the same class."""
        return self.all.value(key, self.stream.number)

    def refuse(self, why: str) -> NoReturn:
        """It cannot be taken over: why not, and what could."""
        if self.setting:
            raise self.setting.error(why)
        raise self.all.place.error(f"{self.key} = {self.text}, BookSim's default: {why}")

    @property
    def text(self) -> str:
        """The value, as it was written."""
        return self.setting.text if self.setting else self.all.row(self.key).default or '""'


Rule = Callable[[Ask], Answer]


@dataclass(frozen=True)
class Row:
    """A key of BookSim's."""

    key: str
    kind: Kind
    default: str
    rule: Rule
    by_class: bool = False  # {a,b}: a value a class, the last one also that of further classes
    section: str = "router"  # where what is said of it stands


def becomes(key: str) -> Rule:
    """The same number in Braid, which knows its range."""
    return lambda ask: Answer({key: ask.value})


def named(key: str, names: Mapping[str, str | Answer], refused: Mapping[str, str], *, what: str) -> Rule:
    """A name that Braid has under the same or another one; `refused`: those it has not, and why."""

    def rule(ask: Ask) -> Answer:
        if ask.value in refused:
            ask.refuse(f"{refused[ask.value]}; expected one of {', '.join(names)}")
        if ask.value not in names:
            known = [*names, *refused]
            ask.refuse(
                f'no {what} is called "{ask.value}"{nearest(ask.value, known)}; expected one of {", ".join(names)}'
            )
        to = names[ask.value]
        return to if isinstance(to, Answer) else Answer({key: to})

    return rule


def without_effect(why: str) -> Rule:
    """It changes nothing that Braid computes."""
    return lambda ask: Answer(note=why, fate=Fate.NO_EFFECT)


def only(*values: Any, otherwise: str, note: str = "") -> Rule:
    """Braid's network is that of these values; others are refused."""

    def rule(ask: Ask) -> Answer:
        if ask.value not in values:
            expected = " or ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
            ask.refuse(f"{otherwise}; expected {expected}")
        return Answer(note=note, fate=Fate.SAME)

    return rule


def differs(values: Mapping[Any, Answer], *, otherwise: str) -> Rule:
    """Each of these has an answer of its own; others are refused."""

    def rule(ask: Ask) -> Answer:
        if ask.value not in values:
            ask.refuse(f"{otherwise}; expected {' or '.join(map(str, values))}")
        return values[ask.value]

    return rule
