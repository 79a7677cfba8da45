"""Opens every save file of waveforms of all router families in GTKWave, on a screen that nobody sees (Xvfb): no error
may come, every row must be there, and named values must be shown by their names. Leaves a picture of each in
results/waveforms; `--docs` puts those that docs/waveforms.md shows into docs/images. Needs gtkwave and xvfb."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from braid_tools.gates.shell import sh
from braid_tools.gtkw import SaveFile, read_gtkw, read_names
from braid_tools.program import ROOT, Run, braid

OUT = ROOT / "results" / "waveforms"
DOCS = ROOT / "docs" / "images"
EXPERIMENTS = ROOT / "tb" / "experiments"
SECONDS = 120  # for GTKWave to open one
SHORT = {
    "simulation.min_warmup_cycles": 0,
    "simulation.max_warmup_cycles": 0,
    "simulation.batch_cycles": 500,
    "simulation.measure_cycles": 2000,
}


@dataclass(frozen=True)
class Case:
    """One run with a waveform, and the questions that it must answer: one save file each."""

    name: str
    experiment: str
    questions: tuple[str, ...]
    ending: str = "fst"
    settings: dict[str, object] = field(default_factory=dict)
    shown: tuple[str, ...] = ()  # of the questions, those with a picture in docs/


CASES = [
    Case(
        "hybrid",
        "mesh_uniform",
        ("packet", "stalls"),
        settings=SHORT
        | {
            "traffic.rate_flits_per_node_cycle": 0.4,
            "watch.what": "packet=3.17",
            "trace.routers": "3,0 4,0 5,0 6,0 6,1",
            "trace.from_cycle": 120,
            "trace.to_cycle": 260,
        },
        shown=("packet", "stalls"),
    ),
    Case("circuits", "fm_radio", ("actors", "stalls", "setup"), settings={"trace.to_cycle": 3000}, shown=("setup",)),
    Case(
        "tree",
        "tree_sat",
        ("packet", "stalls", "sat"),
        settings=SHORT | {"topology.levels": 2, "watch.what": "packet=5.3"},
        shown=("sat",),
    ),
    Case(
        "po2",
        "po2_hexagonal",
        ("packet", "pool", "stalls"),
        "vcd",
        SHORT
        | {
            "topology.edge": 3,
            "po2.buffers": 3,
            "watch.what": "packet=2.0",
            "traffic.rate_flits_per_node_cycle": 0.35,
            "simulation.schedule": "process_per_stage",
            "trace.routers": "0,0 0,1",
        },
        shown=("pool",),
    ),
    Case(
        "myrinet",
        "irregular",
        ("in_transit", "packet", "stalls"),
        settings=SHORT
        | {
            "simulation.measure_cycles": 6000,
            "traffic.rate_flits_per_node_cycle": 0.2,
            "watch.what": "packet=1.0",
            "trace.to_cycle": 6000,
        },
    ),
    Case(
        "rests",
        "irregular",
        ("in_transit", "packet", "stalls"),
        settings=SHORT
        | {
            "simulation.measure_cycles": 6000,
            "topology.switches": 8,
            "routing.in_transit": "every_switch",
            "traffic.rate_flits_per_node_cycle": 0.3,
            "watch.what": "packet=5.0",
            "trace.to_cycle": 1500,
            "simulation.schedule": "process_per_stage",
        },
        shown=("in_transit",),
    ),
    Case(
        "actors",
        "fm_radio",
        ("actors", "stalls"),
        settings=SHORT
        | {
            "interface.switching": "packet",
            "stream.computation_scaling": 0.02,
            "simulation.measure_cycles": 5000,
            "trace.from_cycle": 4000,
            "trace.to_cycle": 4300,
        },
        shown=("actors",),
    ),
    Case(
        "broadcast",
        "broadcast",
        ("processors", "stalls"),
        settings={
            "simulation.min_warmup_cycles": 0,
            "simulation.max_warmup_cycles": 0,
            "simulation.measure_cycles": 4000,
            "topology.width": 3,
            "topology.height": 3,
            "trace.to_cycle": 2500,
        },
        shown=("processors",),
    ),
    Case(
        "ideal",
        "fm_radio",
        ("actors", "packet"),
        settings={"router.architecture": "ideal", "interface.switching": "packet", "watch.what": "packet=1.0"},
    ),
]


@contextlib.contextmanager
def screen() -> Iterator[str]:
    """The name of an X display that nobody sees."""
    number, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(number) as text:
            yield f":{text.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def script(save: SaveFile, picture: Path) -> str:
    """What GTKWave is told: print every row with its flags and its value, then a picture."""
    return f"""
set rows [gtkwave::getTotalNumTraces]
gtkwave::setMarker [expr ([gtkwave::getWindowStartTime] + [gtkwave::getWindowEndTime]) / 2]
for {{set i 0}} {{$i < $rows}} {{incr i}} {{
  puts "ROW [gtkwave::getTraceFlagsFromIndex $i]|[gtkwave::getTraceNameFromIndex $i]|\
[gtkwave::getTraceValueAtMarkerFromIndex $i]"
}}
puts "WINDOW [gtkwave::getWindowStartTime]"
gtkwave::setMarker {save.markers[0][1] if save.markers else save.start}
gtkwave::/File/Grab_To_File "{picture}"
gtkwave::/File/Quit
"""


def open_in_gtkwave(path: Path, display: str, picture: Path) -> str:
    """What GTKWave prints."""
    tcl = picture.with_suffix(".tcl")
    tcl.write_text(script(read_gtkw(path), picture))
    log = picture.with_suffix(".log")
    with log.open("wb") as output:
        # From another folder than theirs: a save file must find its files from anywhere.
        outcome = sh(["gtkwave", "-S", tcl, path], ROOT, SECONDS, output, DISPLAY=display, NO_AT_BRIDGE="1")
    text = log.read_text(errors="replace")
    return text if outcome.how != "timeout" else text + f"\nerror: not done after {SECONDS} seconds"


def complaints(path: Path, printed: str) -> list[str]:
    """What is wrong with an opened save file."""
    save = read_gtkw(path)
    wrong = [line for line in printed.splitlines() if re.search(r"error|could not|not found|warning|fail", line, re.I)]
    rows = dict(re.findall(r"^ROW \d+\|(.*)\|(.*)$", printed, re.M))
    for row in save.rows:
        if row.label not in rows:
            wrong.append(f"row {row.label} is not there")
        elif row.names is not None and rows[row.label] not in ("", *read_names(row.names).values()):
            wrong.append(f"row {row.label} shows {rows[row.label]}, not a name of {row.names.name}")
    named = [row for row in save.rows if row.names is not None]
    if named and not any(rows.get(row.label) for row in named):
        wrong.append("no row shows a name")
    return [f"{path.name}: {text}" for text in wrong]


def shrink(picture: Path, to: Path) -> None:
    """A picture of few colours: small enough for a repository."""
    to.parent.mkdir(parents=True, exist_ok=True)
    Image.open(picture).convert("RGB").quantize(48).save(to, optimize=True)


def look(case: Case, display: str, docs: bool) -> list[str]:
    """Runs one case and opens its save files; what is wrong."""
    folder = OUT / case.name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("trace.*"):
        old.unlink()
    run = Run(case.name, EXPERIMENTS / f"{case.experiment}.toml", case.settings)
    wave = folder / f"trace.{case.ending}"
    braid("run", run.experiment, *run.arguments(), "--quiet", "--trace", wave, "--json", folder / "results.json")
    files = sorted(path.name for path in folder.glob("trace.*.gtkw"))
    expected = sorted(f"trace.{question}.gtkw" for question in case.questions)
    wrong = [] if files == expected else [f"{case.name}: save files {files}, expected {expected}"]
    for name in ("trace.gtkw", *files):
        picture = folder / f"{Path(name).stem}.png"
        printed = open_in_gtkwave(folder / name, display, picture)
        wrong += [f"{case.name}: {text}" for text in complaints(folder / name, printed)]
        if not picture.exists():
            wrong.append(f"{case.name}: {name}: no picture")
        elif docs and name.split(".")[1] in case.shown:
            shrink(picture, DOCS / f"waves_{name.split('.')[1]}.png")
    return wrong


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*", help=f"of {', '.join(case.name for case in CASES)}; default: all")
    parser.add_argument("--docs", action="store_true", help="put pictures into docs/images")
    arguments = parser.parse_args()
    cases = [case for case in CASES if not arguments.case or case.name in arguments.case]
    begin = time.monotonic()
    wrong = []
    with screen() as display:
        for case in cases:
            wrong += look(case, display, arguments.docs)
    for text in wrong:
        print(text)
    opened = sum(len(case.questions) + 1 for case in cases)
    print(f"{opened} save files opened in {time.monotonic() - begin:.0f} s, {len(wrong)} complaints; pictures in {OUT}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
