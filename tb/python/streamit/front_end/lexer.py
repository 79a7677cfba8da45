"""Text to tokens. Lines and columns count from one, a tab is one column."""

import re
from pathlib import Path
from typing import NamedTuple

from .errors import Position, StreamItError

_WORDS = """
filter pipeline splitjoin feedbackloop stateful add split join duplicate roundrobin body loop enqueue
init prework work peek pop push iter portal to handler
boolean float bit int void double complex struct template native static helper
if else while for do switch case default break continue return pi true false
"""
KEYWORDS = frozenset(_WORDS.split())
_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|//[^\n]*|/\*.*?\*/)
      | (?P<hex>0x[0-9a-fA-F]+)
      | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[if]?)
      | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<char>'(?:\\.|[^'\\\n])')
      | (?P<sign><<=|>>=|->|\+\+|--|\+=|-=|\*=|/=|&&|\|\||<<|>>|==|!=|<=|>=|[-+*/%&|^~!<>=?:;,.(){}\[\]])""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    kind: str  # name, keyword, number, hex, string, char, sign, end
    text: str
    at: Position

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


def tokens(file: str) -> list[Token]:
    text = Path(file).read_text(encoding="utf-8")
    found: list[Token] = []
    place, line, line_start = 0, 1, 0
    while place < len(text):
        at = Position(file, line, place - line_start + 1)
        match = _TOKEN.match(text, place)
        if not match:
            raise StreamItError(at, _stray(text, place))
        kind, piece = match.lastgroup or "", match.group()
        if kind != "space":
            found.append(Token("keyword" if piece in KEYWORDS else kind, piece, at))
        if "\n" in piece:
            line += piece.count("\n")
            line_start = place + piece.rindex("\n") + 1
        place = match.end()
    found.append(Token("end", "", Position(file, line, place - line_start + 1)))
    return found


def _stray(text: str, place: int) -> str:
    if text.startswith("/*", place):
        return "a comment that never ends"
    if text[place] in "\"'":
        return "a string that does not end in its line"
    return f"'{text[place]}' means nothing in StreamIt"
