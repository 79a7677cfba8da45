"""braid import netrace, braid import noxim: a trace of another simulator's file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from braid.errors import InputError
from braid.explore.where import nearest
from braid.traces import netrace, noxim
from braid.traces.writing import Writer

#: Format: keys behind the file, with what they are without.
KEYS: dict[str, dict[str, int | float | None]] = {
    "netrace": {"flit_bytes": 8, "packets": None},
    "noxim": {"cycles": 10000, "flits": 8, "nodes": None, "pir": 0.01, "seed": 1},
}


def write_trace(form: str, words: list[str], given: str | None, quiet: bool) -> int:
    """What the command does behind its name; the exit status."""
    file, settings = asked(form, words)
    output = given or f"{Path(file).name.split('.')[0]}.btrace"
    if Path(output).exists():
        raise InputError(f"{output} is there already: expected the name of a new file, --output FILE.btrace")
    said = whole_or_not(output, lambda out: CONVERT[form](file, out, output, settings))
    if not quiet:
        print(said)
    return 0


def asked(form: str, words: list[str]) -> tuple[str, dict[str, int | float | None]]:
    """The one file, and the keys with their values."""
    files = [word for word in words if "=" not in word]
    if len(files) != 1:
        raise InputError(f"braid import {form}: {len(files)} files: expected one")
    settings = dict(KEYS[form])
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            continue
        if key not in settings:
            raise InputError(f'unknown key "{key}"{nearest(key, tuple(settings))}; known: {", ".join(settings)}')
        settings[key] = number(key, value)
    return files[0], settings


def number(key: str, text: str) -> int | float:
    """Of the kind that the key has."""
    try:
        value: int | float = float(text) if key == "pir" else int(text)
    except ValueError:
        value = -1
    least, most = (0, 1) if key == "pir" else (0 if key == "seed" else 1, 1 << 40)
    if not least <= value <= most:
        raise InputError(f'{key} = "{text[:60]}": expected a number, {least} to {most}')
    return value


def whole_or_not(output: str, write: Callable[[BinaryIO], str]) -> str:
    """What `write` says; without its end nothing is left."""
    part = Path(output).with_name(f".{Path(output).name}.{os.getpid()}")
    try:
        with part.open("wb") as out:
            said = write(out)
        part.replace(output)
    except OSError as e:
        raise InputError(f"{output}: cannot be written: {e.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    return said


def _netrace(file: str, out: BinaryIO, output: str, settings: dict[str, int | float | None]) -> str:
    source = netrace.NetraceFile(file)
    writer = Writer(out, output, source.nodes, netrace.CLASSES)
    most = settings["packets"]
    done = netrace.convert(source, writer, int(settings["flit_bytes"] or 1), None if most is None else int(most))
    writer.end()
    lines = [f"{output}: {done.packets} packets of {done.nodes} nodes, {done.dependencies} dependencies"]
    if done.lost:
        lines.append(f"  {done.lost} dependencies of packets that do not follow are left out")
    lines.append(f"  replay.window of {max(1, writer.longest_reach)} or more holds all dependencies")
    return "\n".join(lines)


def _noxim(file: str, out: BinaryIO, output: str, settings: dict[str, int | float | None]) -> str:
    table = noxim.read_table(file, float(settings["pir"] or 0.0))
    most = max(max(one.source, one.destination) for one in table)
    nodes = int(settings["nodes"] or most + 1)
    if most >= nodes:
        raise InputError(f"{file}: node {most}: expected 0 to {nodes - 1}, as nodes={nodes} says")
    writer = Writer(out, output, nodes, ["packets"])
    packets = noxim.convert(
        table, writer, int(settings["cycles"] or 0), int(settings["flits"] or 1), int(settings["seed"] or 0)
    )
    writer.end()
    return f"{output}: {packets} packets of {nodes} nodes, drawn of {len(table)} lines over {settings['cycles']} cycles"


CONVERT = {"netrace": _netrace, "noxim": _noxim}
