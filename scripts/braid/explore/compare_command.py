"""braid compare: two results, or two stores; the exit status is a gate for CI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid.errors import InputError
from braid.explore.command_line import Arguments, printed
from braid.explore.comparison import CONFIDENCE, FIGURES, Comparison, Difference, Pair, compare
from braid.explore.inputs import rows_of
from braid.explore.rows import figures_of, name_of
from braid.explore.where import nearest

SATURATED = "saturated"


@dataclass(frozen=True)
class Limit:
    """What --fail-if says: how much a figure may grow (or fall, where `change` is below 0)."""

    text: str
    figure: str
    change: float
    relative: bool

    def broken_by(self, difference: Difference) -> bool:
        """Does a figure change by more, and not by chance?"""
        if difference.figure != self.figure or not difference.significant:
            return False
        change = difference.relative if self.relative else difference.b - difference.a
        return change > self.change if self.change >= 0 else change < self.change


def limit_of(text: str) -> Limit:
    """Of "latency.mean +2%"."""
    if text == SATURATED:
        return Limit(text, SATURATED, 0.0, relative=False)
    match = re.fullmatch(r"(\S+)\s+([+-]\d+\.?\d*)\s*(%?)", text)
    if not match:
        raise InputError(f"--fail-if {text}: expected FIGURE +PERCENT%, as in latency.mean +2%, or {SATURATED}")
    percent = match[3] == "%"
    return Limit(text, match[1].removesuffix(".mean"), float(match[2]) / (100 if percent else 1), percent)


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("compare")
    parser.add_argument("a", metavar="A", type=Path)
    parser.add_argument("b", metavar="B", type=Path)
    parser.add_argument("--fail-if", action="append", default=[], type=limit_of)
    parser.add_argument("--columns")
    parser.add_argument("--confidence", type=float, default=100 * CONFIDENCE)
    parser.add_argument("--quiet", "-q", action="store_true")
    return parser


def joined(line: Sequence[str]) -> list[str]:
    """`--fail-if FIGURE +2%` as two words."""
    words: list[str] = []
    rest = iter(line)
    for word in rest:
        words.append(word)
        if word == "--fail-if":
            figure = next(rest, None)
            if figure is not None:
                plain = " " in figure or figure == SATURATED
                words.append(figure if plain else f"{figure} {next(rest, '')}")
    return words


def _figures(asked: Sequence[str], rows: Sequence[Any]) -> list[str]:
    known = set().union(*(figures_of(row.results) for row in rows if row.results is not None))
    for name in asked:
        if name not in known:
            raise InputError(f'no figure is called "{name}"{nearest(name, known)}')
    return list(dict.fromkeys(asked))


def _told_of_configuration(found: Comparison, a: Path, b: Path) -> None:
    for key, (of_a, of_b) in found.changed.items():
        print(f"{key}: {_listed(of_a)} in {a}, {_listed(of_b)} in {b}")
    if not found.changed:
        print("the configurations are the same")
    for file, alone in ((a, found.only_a), (b, found.only_b)):
        if alone:
            print(f"only in {file}: {len(alone)} configurations, such as {name_of(alone[0].keys) or 'its only one'}")


def _listed(values: Sequence[Any]) -> str:
    return ", ".join("nothing" if value is None else str(value) for value in values) or "nothing"


def _lines(differences: Sequence[Difference]) -> Any:
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("where", "figure", "A", "B", "change", ""):
        shown.add_column(name, justify="left" if name in ("where", "figure", "") else "right", overflow="fold")
    for d in differences:
        mark = "differs" if d.significant else "" if d.chance is not None else "no interval"
        shown.add_row(name_of(d.pair.keys), d.figure, f"{d.a:.5g}", f"{d.b:.5g}", f"{100 * d.relative:+.2f} %", mark)
    return shown


def _verdicts(pairs: Sequence[Pair]) -> list[str]:
    """Pairs of which one side alone is saturated, or has failed."""
    said = []
    for pair in pairs:
        where = f"{name_of(pair.keys)}: " if pair.keys else ""
        if bool(pair.a.good) != bool(pair.b.good):
            said.append(f"{where}failed in {'B' if pair.a.good else 'A'} only")
        elif pair.a.saturated != pair.b.saturated:
            said.append(f"{where}saturated in {'B' if pair.b.saturated else 'A'} only")
    return said


def _broken(limits: Sequence[Limit], differences: Sequence[Difference], pairs: Sequence[Pair]) -> list[str]:
    """What fails."""
    said = []
    for limit in limits:
        if limit.figure == SATURATED:
            said += [f"{limit.text}: {name_of(p.keys)}" for p in pairs if p.b.saturated and not p.a.saturated]
        for d in differences:
            if limit.broken_by(d):
                where = f" at {name_of(d.pair.keys)}" if d.pair.keys else ""
                said.append(f"{limit.text}: {d.figure} {d.a:.5g} -> {d.b:.5g} ({100 * d.relative:+.2f} %){where}")
    if limits:
        said += [f"{name_of(p.keys)}: failed in B" for p in pairs if p.a.good and not p.b.good]
    return said


def main(line: list[str]) -> int:
    """Entry point; the words behind `braid compare`."""
    words = arguments().parsed(joined(line))
    if not 50 <= words.confidence < 100:
        raise InputError(f"--confidence {words.confidence:g}: expected a percentage from 50 to below 100")
    a, b = rows_of(words.a), rows_of(words.b)
    found = compare(a, b)
    if not found.pairs:
        raise InputError(f"{words.a} and {words.b} have no configuration in common: nothing can be compared")
    asked = [name.strip().removesuffix(".mean") for name in words.columns.split(",")] if words.columns else FIGURES
    wanted = [*asked, *(limit.figure for limit in words.fail_if if limit.figure != SATURATED)]
    figures = _figures(wanted, [*a, *b]) if words.columns or words.fail_if else list(asked)
    steady = found.steady()
    differences = steady.differences(figures, words.confidence / 100)
    broken = _broken(words.fail_if, differences, found.pairs)
    if not words.quiet:
        _told_of_configuration(found, words.a, words.b)
        shown = [d for d in differences if d.significant or len(found.pairs) == 1]
        if shown:
            printed(_lines(shown))
        _told(found, steady, differences, words.confidence)
    for line_of in broken:
        print(f"fails: {line_of}")
    return 1 if broken else 0


def _told(found: Comparison, steady: Comparison, differences: Sequence[Difference], confidence: float) -> None:
    for said in _verdicts(found.pairs):
        print(said)
    tests = " and ".join(sorted({pair.test for pair in steady.pairs})) or "no test"
    left = len(found.pairs) - len(steady.pairs)
    print(
        f"{sum(d.significant for d in differences)} of {len(differences)} figures differ, at {confidence:g} % over all "
        f"of them ({tests}, Holm); {len(steady.pairs)} configurations compared"
        + (f", {left} left out as saturated" if left else "")
    )
