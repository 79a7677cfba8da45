"""braid import: experiments from other simulators' configurations, traces from theirs."""

from __future__ import annotations

import os
from pathlib import Path

from braid.booksim.importing import Imported, imported
from braid.booksim.table import Fate
from braid.errors import InputError
from braid.explore.command_line import Arguments
from braid.explore.where import nearest
from braid.traces.import_traces import CONVERT, write_trace

FORMATS = ("booksim", *CONVERT)


def arguments() -> Arguments:
    """The options of the command; what each means is in the program's table (tb/braid/python_commands.cpp)."""
    parser = Arguments("import")
    parser.add_argument("format", metavar="FORMAT")
    parser.add_argument("words", metavar="FILE|KEY=VALUE", nargs="+")
    parser.add_argument("--output", "-o")
    parser.add_argument("--quiet", "-q", action="store_true")
    return parser


def _output(words: list[str], given: str | None) -> str:
    files = [word for word in words if "=" not in word]
    output = given or f"{Path(files[-1]).stem if files else 'booksim'}.toml"
    _refuse_to_overwrite(output)
    return output


def _refuse_to_overwrite(output: str | Path) -> None:
    if output != "-" and Path(output).exists():
        raise InputError(f"{output} is there already: expected the name of a new file, --output FILE.toml")


def _write(files: dict[Path, str]) -> None:
    """All of them or none."""
    parts = {path: path.with_name(f".{path.name}.{os.getpid()}") for path in files}
    try:
        for path, part in parts.items():
            part.write_text(files[path])
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _summary(found: Imported, output: str) -> str:
    counts = {fate: found.count(fate) for fate in Fate}
    differing = found.differing()
    lines = [
        f"{output}: " + ", ".join(f"{counts[fate]} {fate.value}" for fate in (Fate.MAPPED, Fate.SAME, Fate.NO_EFFECT))
    ]
    if differing:
        lines[0] += f"; {len(differing)} to know before figures are compared:"
    return "\n".join(lines + [f"  {said}" for said in differing])


def main(line: list[str]) -> int:
    """Entry point; the words behind `braid import`."""
    words = arguments().parse_intermixed_args(line)
    if words.format not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(
            f'braid import: unknown format "{words.format}"{nearest(words.format, FORMATS)}; known: {known}'
        )
    if words.format in CONVERT:
        return write_trace(words.format, words.words, words.output, words.quiet)
    output = _output(words.words, words.output)
    found = imported(words.words, "booksim.toml" if output == "-" else output)
    if output == "-":
        if found.beside:
            raise InputError(f"it needs {' and '.join(found.beside)} beside it: expected --output FILE.toml")
        print(found.text, end="")
        return 0
    beside = {Path(output).with_name(name): text for name, text in found.beside.items()}
    for path in beside:
        _refuse_to_overwrite(path)
    _write({**beside, Path(output): found.text})
    if not words.quiet:
        print(_summary(found, output))
    return 0
