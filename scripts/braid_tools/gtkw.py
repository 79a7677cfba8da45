"""Reads GTKWave save files (.gtkw) that braid wrote, and the names of values beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from braid_tools.vcd import declarations

BLANK, GROUP_BEGINS, GROUP_ENDS, TRANSLATED = 0x200, 0x800000, 0x1000000, 0x2000


@dataclass(frozen=True)
class Row:
    """A signal in a save file: its path in the waveform with its bits, its label, the groups that it is in, outermost
    first, and the file that names its values."""

    path: str
    label: str
    groups: tuple[str, ...]
    names: Path | None


@dataclass
class SaveFile:
    """What GTKWave opens on."""

    waveform: Path
    rows: list[Row] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    markers: list[tuple[str, int]] = field(default_factory=list)  # text, time
    start: int = 0


def read_gtkw(path: Path) -> SaveFile:
    """A save file. Raises ValueError where a group does not end or a line is not known."""
    save = SaveFile(Path())
    groups: list[str] = []
    flags = 0
    names: Path | None = None
    times: list[int] = []
    for line in path.read_text().splitlines():
        if line.startswith("@"):
            flags, names = int(line[1:], 16), None
        elif line.startswith("^"):
            names = Path(line.split(" ", 1)[1])
        elif line.startswith("-"):
            if flags & GROUP_BEGINS:
                groups.append(line[1:])
            elif flags & GROUP_ENDS:
                if not groups or groups.pop() != line[1:]:
                    raise ValueError(f"{path}: a group ends that did not begin: {line[1:]}")
            else:
                save.comments.append(line[1:])
        elif line.startswith("*"):
            times = [int(word) for word in line.split()[2:]]
        elif line.startswith("["):
            key, _, value = line[1:].partition("] ")
            if key == "dumpfile":
                save.waveform = Path(value.strip('"'))
            elif key == "timestart":
                save.start = int(value)
            elif key == "markername":
                save.markers.append((value[1:], times[ord(value[0]) - ord("A")]))
        elif found := re.fullmatch(r"\+\{(.*)\} (\S+)", line):
            if bool(flags & TRANSLATED) != (names is not None):
                raise ValueError(f"{path}: {found[2]}: flags {flags:x} do not fit")
            save.rows.append(Row(found[2], found[1], tuple(groups), names))
        else:
            raise ValueError(f"{path}: {line}")
    if groups:
        raise ValueError(f"{path}: groups that do not end: {groups}")
    return save


def read_names(path: Path) -> dict[int, str]:
    """Value: name, without the colour. Raises ValueError where GTKWave would not find a value by its digits."""
    names = {}
    lines = [line.split(" ", 1) for line in path.read_text().splitlines()]
    if len({len(key) for key, _ in lines}) != 1:
        raise ValueError(f"{path}: values of different lengths")
    for key, text in lines:
        names[int(key, 16)] = re.sub(r"^\?[^?]*\?", "", text)
    return names


def declared(waveform: Path) -> dict[str, int]:
    """The signals that a .vcd declares, as a save file names them, and their bits."""
    signals = {}
    with waveform.open() as file:
        for _, path, bits in declarations(file):
            range_of_bits = f"[{bits - 1}:0]" if bits > 1 else ""
            signals[".".join(path) + range_of_bits] = bits
    return signals
