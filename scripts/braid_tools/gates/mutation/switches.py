"""Many faults in one program, each behind a switch: `braid_seeded::on(7) ? faulty : right`, or an `if` around a
statement.

What a build costs is paid once, then. BRAID_SEEDED names the fault that is switched on in a process and in those that
it starts; BRAID_SEEDED_REACHED a file of a byte a fault, which becomes 1 where its place was passed: a test that passes
no place of a fault cannot catch it. (Untch, Offutt, Harrold, "Mutation analysis using mutant schemata", ISSTA 1993.)

Not every fault can be switched: a declaration, a template's argument, what the compiler evaluates. Those are
seeded one by one (worker.py).
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from braid_tools.gates.mutation.brackets import Code, Group
from braid_tools.gates.mutation.faults import Fault

HEADER = """#pragma once
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
namespace braid_seeded {
inline unsigned char* reached() {
  const char* const file = std::getenv("BRAID_SEEDED_REACHED");
  const int opened = file ? open(file, O_RDWR) : -1;
  void* const bytes = opened < 0 ? MAP_FAILED : mmap(nullptr, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  return bytes == MAP_FAILED ? nullptr : static_cast<unsigned char*>(bytes);
}
inline int chosen() {
  const char* const number = std::getenv("BRAID_SEEDED");
  return number ? std::atoi(number) : -1;
}
inline unsigned char* const kReached = reached();
inline const int kChosen = chosen();
inline bool on(int fault) {  // not constexpr: what the compiler would evaluate does not compile, and is taken out
  if (kReached) kReached[fault] = 1;
  return kChosen == fault;
}
}
"""
ASSIGNED = re.compile(r"^[^=]*?(?<![=!<>+\-*/%&|^])=(?!=)")
DECLARES = re.compile(
    r"\s*(?:[\w:]+(?:<[^;=]*>)?[&*]*\s+)+[&*]*\w+\s*(?:=(?!=)|\{|\(|;)|\s*(?:const |auto|static |constexpr |using )"
)
SPEAKS = re.compile(r"\s*(?:return|throw|delete|goto|else|new|co_\w+)\b")
LABEL = re.compile(r"\s*(?:(?:case\b[^;?{}]*?(?<!:):(?!:)|default:)\s*)+")


@dataclass(frozen=True)
class Seat:
    """Where a fault sits: the statement or expression [first, last), and what it is with the fault."""

    number: int
    first: int
    last: int
    statement: bool
    faulty: str


def edge(old: str, new: str) -> tuple[int, int]:
    """(characters that both begin with, that both end with)."""
    least = min(len(old), len(new))
    begin = next((i for i in range(least) if old[i] != new[i]), least)
    end = next((i for i in range(least - begin) if old[-1 - i] != new[-1 - i]), least - begin)
    return begin, end


def trimmed(code: Code, first: int, last: int) -> tuple[int, int]:
    """Without blanks and comments at both ends."""
    part = code.code[first:last]
    return first + len(part) - len(part.lstrip()), last - (len(part) - len(part.rstrip()))


def expression(code: Code, group: Group, first: int, last: int) -> tuple[int, int] | None:
    """The expression of a bracket's content or of an assigned value that holds these characters."""
    for begin, end in code.pieces(group, ",;"):
        if begin <= first and last <= end:
            break
    else:
        return None
    assigned = ASSIGNED.match(code.code[begin:end])
    if assigned and begin + assigned.end() <= first:
        begin += assigned.end()
    begin, end = trimmed(code, begin, end)
    return (begin, end) if begin <= first and last <= end else None


def value_of(code: Code, begin: int, end: int, first: int, last: int) -> tuple[int, int] | None:
    """The value that a declaration gives, or a member's, or one of several, if it holds these characters."""
    end -= code.code[end - 1] == ";"
    depths = list(itertools.accumulate((c in "([{") - (c in ")]}") for c in code.code[begin:end]))
    commas = [begin + i for i, c in enumerate(code.code[begin:end]) if c == "," and depths[i] == 0]
    begin = max([begin, *(c + 1 for c in commas if c < first)])
    end = min([end, *(c for c in commas if c >= last)])
    assigned = ASSIGNED.match(code.code[begin:end])
    if assigned is None or begin + assigned.end() > first:
        return None
    found = trimmed(code, begin + assigned.end(), end)
    return found if found[0] <= first and last <= found[1] else None


def several(code: Code, block: Group, first: int, last: int) -> tuple[int, int, bool] | None:
    """The statements that hold these characters together; before a block's end, the last one."""
    here = [(a, b) for a, b in code.statements(block) if a < last and first < b]
    if not here and first == last:
        here = code.statements(block)[-1:]
    bare = not any(DECLARES.match(code.code[a:b]) or LABEL.match(code.code[a:b]) for a, b in here)
    if not here or not bare:
        return None
    begin = trimmed(code, *here[0])[0]
    return (begin, max(last, here[-1][1]), True) if begin <= first else None


def place(code: Code, first: int, last: int) -> tuple[int, int, bool] | None:
    """(begin, end, is it a statement?) of the smallest part that can be switched and holds these characters."""
    inner = code.innermost(first, last)
    groups = code.around(inner)
    if any(re.search(r"(?<!if )\bconstexpr\b", code.head(g)) for g in groups if code.code[g.opened] == "{"):
        return None  # it would not compile
    block = next((g for g in groups if code.is_block(g)), None)
    if block is None:  # a member's value, a constructor's list
        if inner.opened >= 0 and not (code.code[inner.opened] == "{" and ";" in code.level(inner)):
            found = expression(code, inner, first, last)
        else:
            found = next(
                (value_of(code, a, b, first, last) for a, b in code.statements(inner) if a <= first and last <= b), None
            )
        return (*found, False) if found else None
    statement = next(((a, b) for a, b in code.statements(block) if a <= first and last <= b), None)
    if statement is None:
        return several(code, block, first, last)
    begin, end = statement
    if re.match(r"\s*static constexpr\b", code.code[begin:end]):
        return None
    label = LABEL.match(code.code[begin:end])
    begin += label.end() if label else 0
    begin, end = trimmed(code, begin, end)
    if not (begin <= first and last <= end):
        return None
    words = code.code[begin:end]
    if SPEAKS.match(words) or not (DECLARES.match(words) or "{" in words):
        return begin, end, True
    if inner is not block:
        found = expression(code, inner, first, last)
        if found:
            return (*found, False)
    if DECLARES.match(words):
        found = value_of(code, begin, end, first, last)
        return (*found, False) if found else None
    return begin, end, True


def seat(code: Code, fault: Fault, number: int) -> Seat | None:
    """Where a fault sits, or None if it cannot be switched."""
    at = code.text.find(fault.old)
    if not code.sound or at < 0:
        return None
    begin, end = edge(fault.old, fault.new)
    first, last = at + begin, at + len(fault.old) - end
    new = fault.new[begin : len(fault.new) - end]
    part = code.text[first:last]
    bare = part.strip()
    found = place(code, last - len(part.lstrip()), first + len(part.rstrip())) if bare else place(code, last, last)
    if found is None:
        return None
    if first < found[0]:  # blanks before it
        first, new = found[0], new.lstrip()
    if found[1] < last:
        last, new = found[1], new.rstrip()
    faulty = code.text[found[0] : first] + new + code.text[last : found[1]]
    if not found[2] and not faulty.strip():
        return None
    return Seat(number, *found, faulty)


def within(seats: list[Seat], first: int, last: int) -> list[Seat]:
    """Those between two places."""
    return [s for s in seats if first <= s.first and s.last <= last]


def switched(text: str, seats: list[Seat], first: int, last: int) -> str:
    """text[first:last] with the faults in it behind switches; what overlaps only in part must not be among them."""
    inside = sorted(within(seats, first, last), key=lambda s: (s.first, -s.last, not s.statement))
    result, at = "", first
    while inside:
        outer = inside[0]
        same = [s for s in inside if (s.first, s.last, s.statement) == (outer.first, outer.last, outer.statement)]
        rest = [s for s in inside if s not in same]
        result += text[at : outer.first]
        right = switched(text, within(rest, outer.first, outer.last), outer.first, outer.last)
        for one in same:
            mark = f"/*<{one.number}*/", f"/*{one.number}>*/"
            if one.statement:
                choice = f"if (braid_seeded::on({one.number})) {{ {one.faulty}\n}} else {{ {right}\n}}"
                right = f"{mark[0]}{{ {choice} }}{mark[1]}"
            else:
                right = f"{mark[0]}(braid_seeded::on({one.number}) ? ({one.faulty}\n) : ({right}\n)){mark[1]}"
        result += right
        at = outer.last
        inside = [s for s in rest if s.first >= outer.last]
    return result + text[at:last]


def apart(seats: list[Seat]) -> list[Seat]:
    """Without those that overlap one before them in part only."""
    kept: list[Seat] = []
    for one in seats:
        crossing = any(
            k.first < one.last
            and one.first < k.last
            and not ((k.first <= one.first and one.last <= k.last) or (one.first <= k.first and k.last <= one.last))
            for k in kept
        )
        if not crossing:
            kept.append(one)
    return kept


def evaluated_later(code: Code, seats: list[Seat]) -> str:
    """Its text, as long as it was, with `const` for the `constexpr` of each variable whose value is switched: the
    compiler cannot know it. Where it has to, that does not compile."""
    text = code.text
    for one in seats:
        begin = max(code.code.rfind(c, 0, one.first) for c in ";{}") + 1
        if not one.statement and (word := re.match(r"\s*constexpr\b", code.code[begin : one.first])):
            at = begin + word.end() - len("constexpr")
            text = text[:at] + "const    " + text[at + len("constexpr") :]
    return text


def with_switches(text: str, faults: dict[int, Fault]) -> tuple[str, set[int]]:
    """(a file's text with all of these faults that can be switched, their numbers)."""
    code = Code(text)
    seats = apart([s for s in (seat(code, fault, number) for number, fault in faults.items()) if s is not None])
    if not seats:
        return text, set()
    later = evaluated_later(code, seats)
    return '#include "braid_seeded.h"\n' + switched(later, seats, 0, len(text)), {s.number for s in seats}


def numbers_at(text: str, line: int) -> set[int]:
    """The faults whose switches stand around a line (from 1) of a text with switches, the innermost only."""
    begins = [0, *(m.end() for m in re.finditer("\n", text)), len(text) + 1]
    if line >= len(begins):
        return set()
    first, last = begins[line - 1], begins[line]
    spans: dict[int, int] = {}
    for begin in re.finditer(r"/\*<(\d+)\*/", text):
        end = text.find(f"/*{begin[1]}>*/", begin.end())
        if begin.start() < last and end >= first:
            spans[int(begin[1])] = end - begin.start()
    least = min(spans.values(), default=0)
    return {number for number, span in spans.items() if span <= 2 * least}
