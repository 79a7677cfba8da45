"""C++ read by its brackets: which statement or expression a place is in. No parser: what is read wrong does not
compile.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"\((?:.*?)\)\"|\"(?:[^\"\\\n]|\\.)*\""
    r"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE,
)
PAIRS = {")": "(", "]": "[", "}": "{"}
#: What goes on after a `}` goes on with the statement; after a `;`, an `else`.
GOES_ON = re.compile(r"\s*(?:[,;:)\]}.(?=*/%<>&|^+-]|else\b|while \(.*\);)")
ELSE = re.compile(r"\s*else\b")
SCOPE = re.compile(r"\b(?:struct|class|union|enum|namespace|extern)\b[^;(){}]*$")
CONTROL = re.compile(r"\s*(?:if|for|while|switch|do|try)\b")


def blanked(text: str) -> str:
    """The text, as long as it was and in as many lines, without comments, literals and directives."""
    return NO_CODE.sub(lambda m: re.sub(r"[^\n]", " " if m[0][0] in "/# \t" else "0", m[0]), text)


@dataclass
class Group:
    """What stands between two brackets; the whole text is one, too."""

    opened: int  # place of the bracket; -1: the whole
    closed: int = -1
    parent: Group | None = None
    inner: list[Group] = field(default_factory=list)

    def holds(self, first: int, last: int) -> bool:
        """Are these characters all inside?"""
        return self.opened < first and last <= self.closed


class Code:
    """A text and its groups."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.code = blanked(text)
        self.whole = Group(-1, len(text))
        self.sound = self._read()

    def _read(self) -> bool:
        here = self.whole
        for at, letter in enumerate(self.code):
            if letter in "([{":
                here.inner.append(Group(at, parent=here))
                here = here.inner[-1]
            elif letter in PAIRS:
                if here.parent is None or self.code[here.opened] != PAIRS[letter]:
                    return False
                here.closed = at
                here = here.parent
        return here is self.whole

    def innermost(self, first: int, last: int) -> Group:
        """The smallest group that holds these characters."""
        here, inner = self.whole, self.whole.inner
        while inner:
            found = next((g for g in inner if g.holds(first, last)), None)
            if found is None:
                break
            here, inner = found, found.inner
        return here

    def level(self, group: Group) -> str:
        """What stands in a group, as long as it is, with what is in groups inside blanked."""
        begin = group.opened + 1
        letters = list(self.code[begin : group.closed])
        for inner in group.inner:
            for at in range(inner.opened + 1, inner.closed):
                letters[at - begin] = " "
        return "".join(letters)

    def pieces(self, group: Group, separators: str) -> list[tuple[int, int]]:
        """The parts of a group between separators that are not in a group inside."""
        begin = group.opened + 1
        level = self.level(group)
        cuts = [i for i, letter in enumerate(level) if letter in separators]
        edges = [-1, *cuts, len(level)]
        return [(begin + a + 1, begin + b) for a, b in itertools.pairwise(edges)]

    def statements(self, group: Group) -> list[tuple[int, int]]:
        """The statements of a block, each with its `;` or its last `}`."""
        begin = group.opened + 1
        level = self.level(group)
        found, first = [], 0
        for i, letter in enumerate(level):
            ends = letter == ";" and not ELSE.match(level, i + 1)
            ends |= letter == "}" and not GOES_ON.match(level, i + 1)
            if ends:
                found.append((begin + first, begin + i + 1))
                first = i + 1
        return found

    def head(self, group: Group) -> str:
        """What stands before a group since the last statement or bracket of a block."""
        return re.split(r"[;{}]", self.code[max(0, group.opened - 2000) : group.opened])[-1]

    def is_block(self, group: Group) -> bool:
        """Do statements stand in it (and not a list of values, members or parameters)?"""
        if group.opened < 0 or self.code[group.opened] != "{" or SCOPE.search(self.head(group)):
            return False
        level = self.level(group)
        return ";" in level or CONTROL.match(level) is not None

    def around(self, group: Group) -> list[Group]:
        """The group and those around it, the whole text not among them."""
        found = []
        here: Group | None = group
        while here is not None and here.opened >= 0:
            found.append(here)
            here = here.parent
        return found
