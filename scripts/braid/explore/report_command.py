"""braid report: one page that shows results and needs nothing but a browser."""

from __future__ import annotations

from pathlib import Path

from braid.errors import BraidError, InputError
from braid.explore.command_line import Arguments
from braid.explore.inputs import SERIES, rows_of, series_of


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("report")
    parser.add_argument("results", metavar="RESULT", nargs="+", type=Path)
    parser.add_argument("--output", "-o", type=Path, default=Path("report.html"))
    parser.add_argument("--title")
    parser.add_argument("--quiet", "-q", action="store_true")
    return parser


def _names(files: list[Path]) -> list[str]:
    """Of each file: short, and no two alike."""
    stems = [file.stem for file in files]
    return [stem if stems.count(stem) == 1 else str(file) for stem, file in zip(stems, files, strict=True)]


def main(line: list[str]) -> int:
    """Entry point; the words behind `braid report`."""
    words = arguments().parsed(line)
    twice = next((file for file in words.results if words.results.count(file) > 1), None)
    if twice is not None:
        raise InputError(f"{twice}: expected each result once")
    try:
        named = list(zip(_names(words.results), words.results, strict=True))
        series = [(name, series_of(file)) for name, file in named if file.suffix in SERIES]
        inputs = [(name, rows_of(file)) for name, file in named if file.suffix not in SERIES]
        from braid.explore.report.content import report

        text = report(inputs, words.title or f"Braid: {', '.join(name for name, _ in named)}", series)
    except ModuleNotFoundError as e:
        raise BraidError(f"braid report needs {e.name}: pip install 'braid-interconnect[explore]'") from None
    words.output.write_text(text)
    if not words.quiet:
        print(f"{words.output}: written, {len(text.encode()) / 1e6:.1f} MB")
    return 0
