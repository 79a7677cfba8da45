"""What the compiler takes for Braid's own objects: sums by folder, the dearest objects, and a gate on the sum
(docs/compile-time.md).

python -m braid_tools.timing.compile [--preset P] [--tests] [--each-file] [--only TEXT] [--check | --record]

Compiles every object of build/PRESET/compile_commands.json again, one after the other, without ccache and into a
scratch folder: no build is changed. Counted is processor time, user and system, of the compiler and what it starts.
Machines differ by more than a factor of two and others use them too, so reference.cpp is compiled in between, and an
object's cost is its time over that of the references beside it: "units". Instructions would be steadier, but virtual
machines seldom count them, and valgrind takes fifty times as long. results/compile-time has objects.csv and sums.json.
--check: exit status 1 if the sum of units is more than a tenth above compile.json, which --record writes.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from braid_tools.program import ROOT
from braid_tools.reference import compile_reference, processor_seconds
from braid_tools.study import RESULTS, Study

RECORD = Path(__file__).with_name("compile.json")
STRETCH_SECONDS = 8.0  # of measured time between two references
MOST_GROWTH = 1.10
FOLDERS = {
    "braid_routing": "routing",
    "braid_traffic": "traffic",
    "braid_models": "models",
    "braid_modules": "models",
    "braid_stepped": "models",
    "braid_program": "tb/braid",
    "braid": "tb/braid",
}
OUTPUT = re.compile(r" -o (\S*CMakeFiles/(\w+)\.dir/\S+)")
INCLUDED = re.compile(r'^#include "([^"]+\.cpp)"', re.MULTILINE)


@dataclass(frozen=True)
class Object:
    """One call of the compiler, its output left out."""

    name: str
    folder: str
    words: tuple[str, ...]
    directory: str
    source: str
    files: tuple[str, ...]  # of Braid, that it is made of: several where one source includes others (unity build)


@dataclass(frozen=True)
class Cost:
    """Processor time of one call, and that over the reference's."""

    object: Object
    seconds: float
    units: float


def folder_of(target: str, *, tests: bool) -> str | None:
    """Where the sources of a target are; none for targets that are not asked for."""
    if (whole := target.removesuffix("_setup")) in FOLDERS:
        return FOLDERS[whole]
    found = re.fullmatch(r"braid_(\w+)_cases|braid_test_bench", target)
    return f"tb/tests/{found[1] or 'support'}" if tests and found else None


def own_words(command: str) -> list[str]:
    """The compiler and its options: without what launches it (ccache), its output and its list of dependencies."""
    words = shlex.split(command)
    begin = next(i for i, w in enumerate(words) if re.fullmatch(r"(?:.*/)?(?:c|g|clang)\+\+[-\d.]*", w))
    result, skip = [], False
    for word in words[begin:]:
        if skip or word in ("-MD", "-c"):
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        else:
            result.append(word)
    return result


def objects(build: Path, *, tests: bool) -> list[Object]:
    """Every object of Braid's own, headers that are compiled ahead included."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        output = OUTPUT.search(entry["command"])
        folder = folder_of(output[2], tests=tests) if output else None
        if output is None or folder is None:
            continue
        words = tuple(w for w in own_words(entry["command"]) if w != entry["file"])
        included = INCLUDED.findall(Path(entry["file"]).read_text()) if "/Unity/" in entry["file"] else []
        files = tuple(included or [entry["file"]])
        found.append(Object(output[1], folder, words, entry["directory"], entry["file"], files))
    return found


def each_file(whole: Iterable[Object]) -> list[Object]:
    """The same, every file alone."""
    return [replace(o, name=file, source=file, files=(file,)) for o in whole for file in o.files]


def compile_object(one: Object, scratch: Path) -> float:
    """The processor time of one call."""
    return processor_seconds([*one.words, "-c", one.source, "-o", str(scratch / "object")], one.directory)


def measure(
    wanted: list[Object], compile_one: Callable[[Object], float], compile_measure: Callable[[], float]
) -> list[Cost]:
    """Compiles all. The reference is compiled before the first, after each stretch of time and after the last; the unit
    of an object is the median of the three references nearest to it, so that one that was disturbed counts nothing."""
    references = [compile_measure()]
    taken: list[tuple[Object, float, int]] = []
    since = 0.0
    for one in wanted:
        seconds = compile_one(one)
        taken.append((one, seconds, len(references)))
        since += seconds
        if since >= STRETCH_SECONDS:
            references.append(compile_measure())
            since = 0.0
    references.append(compile_measure())
    costs = []
    for one, seconds, at in taken:  # between the references at - 1 and at
        first = max(0, min(at - 1, len(references) - 3))
        costs.append(Cost(one, seconds, seconds / statistics.median(references[first : first + 3])))
    return costs


def by_folder(costs: list[Cost]) -> dict[str, float]:
    """Units of each folder."""
    sums: dict[str, float] = {}
    for cost in costs:
        sums[cost.object.folder] = sums.get(cost.object.folder, 0.0) + cost.units
    return sums


def grown(sums: dict[str, float], recorded: dict[str, float]) -> list[str]:
    """Lines about a sum that has grown too much, the folders that have grown most first; of the folders that were
    measured now and then. None: it has not."""
    then = {folder: units for folder, units in recorded.items() if folder in sums}
    old, new = sum(then.values()), sum(sums.values())
    if new <= MOST_GROWTH * old:
        return []
    lines = [
        f"the compiler takes {new:.1f} units for Braid's own objects, recorded are {old:.1f}: more than a tenth more"
    ]
    worst = sorted(sums, key=lambda folder: then.get(folder, 0.0) - sums[folder])
    return lines + [f"  {folder}: {sums[folder]:.1f}, recorded {then.get(folder, 0.0):.1f}" for folder in worst]


def short(one: Object) -> str:
    """For people: the files of an object by their names."""
    names = [Path(file).name for file in one.files]
    parent = Path(one.files[0]).parent
    where = parent.relative_to(ROOT) if parent.is_relative_to(ROOT) else parent
    return f"{where}/{names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def report(costs: list[Cost], compiler: str) -> dict[str, float]:
    """Writes objects.csv and sums.json, prints sums and the ten dearest."""
    study = Study("compile-time", results=RESULTS)
    dearest = sorted(costs, key=lambda cost: -cost.units)
    rows = [
        [c.object.name, c.object.folder, f"{c.seconds:.2f}", f"{c.units:.3f}", " ".join(c.object.files)]
        for c in dearest
    ]
    study.table("objects.csv", ["object", "folder", "seconds", "units", "files"], rows)
    sums = by_folder(costs)
    (study.folder / "sums.json").write_text(json.dumps({"compiler": compiler, "units": sums}, indent=2) + "\n")
    for folder, units in sums.items():
        seconds = sum(c.seconds for c in costs if c.object.folder == folder)
        print(f"{folder:20} {units:8.1f} units {seconds:8.1f} s")
    for cost in dearest[:10]:
        print(f"{cost.units:8.2f} units {cost.seconds:8.1f} s  {short(cost.object)}")
    return sums


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="release")
    parser.add_argument("--tests", action="store_true", help="the tests' objects as well")
    parser.add_argument(
        "--each-file", action="store_true", help="every file alone: where the time of a unity file goes"
    )
    parser.add_argument("--only", default="", help="objects with a file whose name contains this")
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--check", action="store_true", help="exit status 1 if the sum has grown by more than a tenth")
    end.add_argument("--record", action="store_true", help="what later checks compare with")
    arguments = parser.parse_args()
    if (arguments.only or arguments.each_file) and (arguments.check or arguments.record):
        parser.error("--check and --record take all objects, as they are built")
    wanted = objects(ROOT / "build" / arguments.preset, tests=arguments.tests)
    wanted = each_file(wanted) if arguments.each_file else wanted
    wanted = [one for one in wanted if any(arguments.only in file for file in one.files)]
    if not wanted:
        parser.error(
            f"no object of build/{arguments.preset} is like that; scripts/build {arguments.preset} braid first"
        )
    compiler = wanted[0].words[0]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    with tempfile.TemporaryDirectory(prefix="braid-compile-") as name:
        scratch = Path(name)
        costs = measure(wanted, lambda o: compile_object(o, scratch), lambda: compile_reference(compiler, scratch))
    sums = report(costs, version)
    if arguments.record:
        rounded = {folder: round(units, 2) for folder, units in sums.items()}
        RECORD.write_text(json.dumps({"compiler": version, "units": rounded}, indent=2) + "\n")
    lines: list[str] = []
    if arguments.check:
        recorded = json.loads(RECORD.read_text())
        lines = grown(sums, recorded["units"])
        if lines and recorded["compiler"] != version:
            lines.append(f"  recorded with {recorded['compiler']}, this is {version}")
    for line in lines:
        print(line, file=sys.stderr)
    verdict = ", more than is good" if lines else ""
    print(f"results/compile-time: {len(costs)} objects, {sum(sums.values()):.1f} units{verdict}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
