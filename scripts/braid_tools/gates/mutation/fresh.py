"""Fresh mutations of the C++, drawn by a date: what tests catch of faults that nobody has written them for.

A place is drawn among all lines of the sources, so that long files have more of them; then what is done to it among
what can be done there: an operator becomes its neighbour, a number one more or less, a condition its opposite, a
statement goes. The same date and sources, the same mutations in the same order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from braid_tools.gates.mutation.faults import PLACES, Fault

#: What becomes of a word of C++. Blanks around operators tell them from templates, references and pointers.
OPERATORS = {
    " < ": (" <= ",),
    " <= ": (" < ",),
    " > ": (" >= ",),
    " >= ": (" > ",),
    " == ": (" != ",),
    " != ": (" == ",),
    " && ": (" || ",),
    " || ": (" && ",),
    " + ": (" - ",),
    " - ": (" + ",),
    " * ": (" + ",),
    " / ": (" * ",),
    " % ": (" / ",),
    " << ": (" >> ",),
    " >> ": (" << ",),
    " += ": (" -= ", " = "),
    " -= ": (" += ", " = "),
    " |= ": (" &= ", " = "),
    " &= ": (" |= ", " = "),
    "++": ("--",),
    "--": ("++",),
    "true": ("false",),
    "false": ("true",),
    "std::max(": ("std::min(",),
    "std::min(": ("std::max(",),
}
WORDS = re.compile("|".join(rf"\b{w}\b" if w.isalpha() else re.escape(w) for w in sorted(OPERATORS, key=len)[::-1]))
NUMBER = re.compile(r"(?<![\w.'\"])(\d{1,6})(?=[UuLl]*\b)(?![.\d'x])")
CONDITION = re.compile(r"\b(if|while) \((.+)\)( \{| [^)]*;)$")
STATEMENT = re.compile(r"^\s*(?:\+\+|--)?[\w:\[\]().>*+-]+(?:\(.*\)| [-+|&*]?= .+|\+\+|--);$")
DECLARES = re.compile(r"^\s*(return|using|const|auto|static|constexpr|friend|throw|delete|else|case|break|continue)\b")
BEGINS = re.compile(r"(?:^|[;{}:])\s*$")  # before a statement: another one, a block or a label
NO_CODE = re.compile(
    r"^\s*(//|#|/\*|\*|static_assert|namespace|template|class|struct|enum|public:|private:|protected:)"
)


@dataclass(frozen=True)
class Change:
    """What may be done to a line."""

    what: str
    line: str


def code_of(line: str) -> str:
    """The line without its comment, texts and characters blanked: as long as it was."""
    code = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'", lambda m: "\0" * len(m[0]), line)
    return code.split("//")[0]


def changes(line: str, before: str = "") -> list[Change]:
    """All that can be done to a line of C++; `before`: the code above, which tells whether a statement begins."""
    if NO_CODE.match(line):
        return []
    code = code_of(line)
    found = []
    for match in WORDS.finditer(code):
        for new in OPERATORS[match[0]]:
            text = line[: match.start()] + new + line[match.end() :]
            found.append(Change(f"`{match[0].strip()}` becomes `{new.strip()}`", text))
    for match in NUMBER.finditer(code):
        for new in (int(match[1]) + 1, int(match[1]) - 1):
            if new >= 0:
                text = line[: match.start(1)] + str(new) + line[match.end(1) :]
                found.append(Change(f"{match[1]} becomes {new}", text))
    condition = CONDITION.search(code)
    if condition and ";" not in condition[2]:
        text = f"{line[: condition.start(2)]}!({line[condition.start(2) : condition.end(2)]}){line[condition.end(2) :]}"
        found.append(Change("a condition becomes its opposite", text))
    if STATEMENT.match(code.rstrip()) and not DECLARES.match(code) and BEGINS.search(before):
        found.append(Change("a statement goes", ""))
    return found


def sources(root: Path) -> list[Path]:
    """The files that faults are drawn in: without those that only exist with the RTL, whose build takes minutes."""
    files = [path for place in PLACES for ending in ("cpp", "h") for path in (root / place).rglob(f"*.{ending}")]
    return sorted(path for path in files if "models/rtl/" not in str(path))


def around(lines: list[str], at: int, text: str) -> str:
    """The line with as many before it as make it occur once."""
    first = at
    while first > 0 and text.count("\n".join(lines[first : at + 1])) > 1:
        first -= 1
    return "\n".join(lines[first : at + 1])


def drawn(root: Path, date: str) -> Iterator[Fault]:
    """Without end; none twice."""
    rng = random.Random(date)
    texts = {path: path.read_text() for path in sources(root)}
    places = [(path, at) for path, text in texts.items() for at in range(len(text.split("\n")))]
    done: set[tuple[str, str]] = set()
    number = 0
    while True:
        path, at = rng.choice(places)
        lines = texts[path].split("\n")
        above = (code_of(line).strip() for line in lines[:at][::-1])
        possible = changes(lines[at], next((line for line in above if line), ""))
        if not possible:
            continue
        change = rng.choice(possible)
        old = around(lines, at, texts[path])
        new = old[: len(old) - len(lines[at])] + change.line
        file = str(path.relative_to(root))
        if (file, f"{at} {change.line}") in done or texts[path].count(old) != 1:
            continue
        done.add((file, f"{at} {change.line}"))
        number += 1
        yield Fault(f"fresh_{date}_{number:03}", f"{file}:{at + 1}: {change.what}", file, old, new)
