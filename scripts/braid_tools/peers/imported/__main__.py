"""Which of BookSim 2's, GPGPU-Sim's and ONNXim's configuration files are imported, and how the imported experiments
compare with BookSim 2: latency at shares of its saturation, and saturation throughput.

    PYTHONPATH=scripts .venv/bin/python -m braid_tools.peers.imported --booksim FOLDER --onnxim FOLDER --gpgpusim FOLDER

FOLDER is a checkout; BookSim's has src/booksim built (make in src). Prints both tables as Markdown, and writes the
matrix into results/imported/matrix.csv."""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import astuple, dataclass, fields
from math import ceil
from pathlib import Path

from braid.booksim.configuration import Configuration
from braid.booksim.grammar import setting_of_word, settings_of
from braid.booksim.importing import imported
from braid.booksim.keys import ROWS
from braid.booksim.table import Fate
from braid.errors import InputError

from braid_tools.peers.imported.cases import CASES, FOLDERS, Case, files_of
from braid_tools.peers.imported.runs import (
    BRAID_THROUGHPUT,
    LATENCY,
    OUT,
    THROUGHPUT,
    in_booksim,
    in_braid,
    looks_ahead,
    text_for_booksim,
)

SHARES = (0.3, 0.6, 0.75)  # of what BookSim accepts
RATE = "traffic.rate_flits_per_node_cycle"
FAR = 1.0  # flits a node and cycle: far beyond saturation
BEYOND = 1.15  # times what BookSim accepts there
OFFSET_CYCLES = 1.0  # docs/validation.md, "BookSim 2"
LATENCY_BAND, SATURATION_BAND = 0.03, 0.05


@dataclass
class Row:
    """One figure of a case."""

    case: str
    figure: str
    booksim: float
    braid: float
    like_for_like: float  # of latencies: less the offset, and a cycle a router where BookSim routes ahead
    difference: float
    within: bool


def outcome(file: Path) -> tuple[str, str]:
    """Imported or refused, and what is to be known."""
    try:
        found = imported([str(file)], "imported.toml")
    except InputError as e:
        return "refused", str(e).removeprefix(str(file)).lstrip(":")
    counts = ", ".join(f"{found.count(fate)} {fate.value}" for fate in Fate)
    return "imported", counts


class Compared:
    """A case in both programs."""

    def __init__(self, case: Case, folder: Path, program: Path) -> None:
        self.case, self._file, self._program = case, folder / case.file, program
        self._text = text_for_booksim(self._file)
        settings = [*settings_of(self._text, "file"), *map(setting_of_word, case.words)]
        self._values = Configuration(settings, ROWS, "file")

    def _words(self, load: float) -> tuple[str, ...]:
        """A load in flits a node and cycle, as BookSim's words."""
        flits = self._values.value("packet_size", 0)
        packets = load / float(flits)
        return (*self.case.words, "injection_rate_uses_flits=0", f"injection_rate={packets:.8f}")

    def _accepted(self, load: float) -> float:
        words = self._words(load)
        return in_booksim(self._program, self._text, (*words, *THROUGHPUT), self._file.parent)["accepted"]

    def _load(self, share: float) -> float:
        return round(self.case.about * share, 4)

    def latencies(self) -> list[Row]:
        """At shares of saturation."""
        rows = []
        steps = self._values.value("internal_speedup", 0)
        as_there = self._values.value("routing_delay", 0) or looks_ahead(self._file, self.case.words)
        ahead = 0 if as_there else ceil(4 / steps) - ceil(3 / steps)
        for load in map(self._load, SHARES):
            words = (*self._words(load), *(word.format(self.case.period) for word in LATENCY))
            theirs = in_booksim(self._program, self._text, words, self._file.parent)
            longer = {"simulation.measure_cycles": 6 * self.case.period} if self.case.period > 1000 else {}
            ours = in_braid(self._file, self.case.words, {**longer, RATE: load})
            alike = ours["latency"] - OFFSET_CYCLES - ahead * ours["routers"]
            off = alike / theirs["latency"] - 1
            within = abs(off) <= LATENCY_BAND
            rows.append(
                Row(self.case.name, f"latency at {load:g}", theirs["latency"], ours["latency"], alike, off, within)
            )
            self._print(rows[-1])
        return rows

    def saturation(self) -> list[Row]:
        """The highest load that each accepts, far beyond saturation and a little; where a network accepts less beyond
        saturation than before it, also at what it accepts at most."""
        far = self._accepted(FAR)
        loads = [FAR, min(FAR, round(BEYOND * far, 3))]
        loads += [self.case.about] if self.case.about > loads[-1] else []
        top = max(self._accepted(load) for load in loads)
        settings = [{**BRAID_THROUGHPUT, RATE: load} for load in loads]
        braid = max(in_braid(self._file, self.case.words, keys)["accepted"] for keys in settings)
        off = braid / top - 1
        row = Row(self.case.name, "highest accepted load", top, braid, braid, off, abs(off) <= SATURATION_BAND)
        self._print(row)
        return [row]

    @staticmethod
    def _print(row: Row) -> None:
        mark = "" if row.within else " **differs**"
        cells = f"{row.booksim:.4g} | {row.braid:.4g} | {row.like_for_like:.4g} | {row.difference:+.1%}{mark}"
        print(f"| {row.case} | {row.figure} | {cells} |", flush=True)


def main() -> int:
    """Entry point; fails where nothing could be compared."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--booksim", type=Path, required=True)
    parser.add_argument("--onnxim", type=Path)
    parser.add_argument("--gpgpusim", type=Path)
    parser.add_argument("--only", help="cases whose name has this text")
    parser.add_argument(
        "--latencies", action="store_true", help="no runs beyond saturation, which take BookSim minutes"
    )
    words = parser.parse_args()
    folders = {kind: getattr(words, kind) for kind in FOLDERS if getattr(words, kind)}
    if words.only is None:
        for kind, folder in folders.items():
            for file in files_of(kind, folder):
                print(f"| {file.relative_to(folder)} | {' | '.join(outcome(file))} |")
    rows: list[Row] = []
    for case in CASES:
        folder = words.onnxim if case.of_onnxim else words.booksim
        if folder and (not words.only or words.only in case.name):
            compared = Compared(case, folder, words.booksim.resolve() / "src" / "booksim")
            rows += compared.latencies() + ([] if words.latencies else compared.saturation())
    within = sum(row.within for row in rows)
    print(f"{len(rows)} figures, {within} within {LATENCY_BAND:.0%} (latency) or {SATURATION_BAND:.0%} (saturation)")
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "matrix.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(field.name for field in fields(Row))
        writer.writerows(map(astuple, rows))
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
