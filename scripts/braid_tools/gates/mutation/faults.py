"""The seeded faults of tb/mutations.toml: reading them, checking them, and which tests are nearest to a file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

PLACES = ("models", "routing", "traffic", "tb/braid")  # where faults are seeded
SMALL = 40  # lines up to which a .cpp needs no fault
KEYS = {"name", "what", "file", "from", "to", "equivalent"}


@dataclass(frozen=True)
class Fault:
    """One small fault: in `file`, `old` becomes `new`."""

    name: str
    what: str
    file: str
    old: str
    new: str
    equivalent: str = ""  # why no test could see it

    @property
    def folder(self) -> str:
        """Where the file is."""
        return str(Path(self.file).parent)

    @property
    def in_rtl(self) -> bool:
        """Only built together with the RTL."""
        return self.file.startswith("models/rtl/")

    @property
    def area(self) -> str:
        """The tests to ask first: a folder of tb/tests."""
        if self.in_rtl:
            return "rtl"
        first = self.file.split("/")[0]
        return "program" if first == "tb" else first

    def seeded(self, text: str) -> str:
        """The file's text with the fault in it."""
        return text.replace(self.old, self.new)


def read(path: Path) -> tuple[list[Fault], dict[str, str]]:
    """(the faults, reason by file of those that need none)."""
    content = tomllib.loads(path.read_text())
    faults = []
    for entry in content["mutation"]:
        if set(entry) - KEYS:
            raise ValueError(f"{entry.get('name')}: unknown key {', '.join(sorted(set(entry) - KEYS))}")
        text = [entry[key] for key in ("name", "what", "file", "from", "to")]
        faults.append(Fault(*text, entry.get("equivalent", "")))
    return faults, {entry["file"]: entry["reason"] for entry in content.get("without", [])}


@dataclass(frozen=True)
class Equal:
    """A change of a line that no test can see, whoever draws it."""

    file: str
    line: str
    becomes: str
    why: str

    def is_of(self, fault: Fault) -> bool:
        """Is it this fault?"""
        old, new = (text.split("\n")[-1].strip() for text in (fault.old, fault.new))
        return (fault.file, old, new) == (self.file, self.line, self.becomes)


def read_equal(path: Path) -> list[Equal]:
    """The changes of [[equal]], which fresh mutations may be."""
    return [Equal(**entry) for entry in tomllib.loads(path.read_text()).get("equal", [])]


def complaints_of_equal(root: Path, equal: list[Equal]) -> list[str]:
    """Lines that are in their files no more."""
    found = []
    for one in equal:
        file = root / one.file
        if not file.is_file():
            found.append(f"[[equal]]: there is no {one.file}")
        elif one.line not in {line.strip() for line in file.read_text().splitlines()}:
            found.append(f"[[equal]]: {one.file} has no line {one.line}")
    return found


def complaints(root: Path, faults: list[Fault], without: dict[str, str]) -> list[str]:
    """What is wrong with the list; empty: nothing."""
    found = []
    names: set[str] = set()
    for fault in faults:
        if fault.name in names:
            found.append(f"{fault.name}: the name occurs twice")
        names.add(fault.name)
        if not fault.file.startswith(tuple(place + "/" for place in PLACES)):
            found.append(f"{fault.name}: {fault.file} is in none of {', '.join(PLACES)}")
        elif not (root / fault.file).is_file():
            found.append(f"{fault.name}: there is no {fault.file}")
        else:
            times = (root / fault.file).read_text().count(fault.old)
            if times != 1:
                found.append(f"{fault.name}: `from` occurs {times} times in {fault.file}")
        if fault.old == fault.new:
            found.append(f"{fault.name}: `from` and `to` are the same")
    faulty = {fault.file for fault in faults}
    found += [f"{file}: both faults and a reason for none" for file in sorted(faulty & set(without))]
    found += [
        f"{file}: named in [[without]], but there is no such file" for file in without if not (root / file).is_file()
    ]
    for place in PLACES:
        for path in sorted((root / place).rglob("*.cpp")):
            file = str(path.relative_to(root))
            long = len(path.read_text().splitlines()) > SMALL
            if long and file not in faulty and file not in without:
                found.append(f"{file}: no fault, and no reason in [[without]]")
    return found
