"""Golden results: the whole results of the short experiments of tb/golden/experiments.toml, kept in the repository and
compared field by field. Usage: python -m braid_tools.gates.golden [NAME...] [--update]

The comparison names field, old and new value. What depends on the machine (wall time, which engine ran) is left out.
`--update` writes the results anew and prints what changed, for the commit message.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from braid_tools.gates.golden_runs import CIRCUITS, GOLDEN, needs_rtl, runs
from braid_tools.program import ROOT, BraidError, Results, Run, braid, circuits, in_parallel, run

LEFT_OUT = ("wall_seconds", "engines", "cpu_seconds", "version")
MOST_LINES = 40


def normal(results: dict[str, Any]) -> dict[str, Any]:
    """Results without what differs from machine to machine; file names relative to the repository."""
    whole = json.dumps(results).replace(f"{ROOT}/", "")
    return json.loads(whole, object_hook=lambda o: {key: value for key, value in o.items() if key not in LEFT_OUT})


def outcome(job: Run) -> Results:
    """What braid says of it."""
    return circuits(job) if job.name.startswith(CIRCUITS) else run(job)


def configurations(results: Results) -> list[dict[str, Any]]:
    """What a result says of the keys that chose policies."""
    if "configuration" in results:
        return [results["configuration"]]
    return [{"disjoint": {"finder": name}} for name in ("all", *(f["finder"] for f in results["finders"]))]


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """A line for each leaf that is not the same: field, old value, new value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(k for k in new if k not in old)]:
            place = f"{path}.{key}" if path else key
            if key not in new:
                yield f"{place}: gone, was {json.dumps(old[key])}"
            elif key not in old:
                yield f"{place}: new, {json.dumps(new[key])}"
            else:
                yield from differences(old[key], new[key], place)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, f"{path}[{i}]")
    elif type(old) is not type(new) or old != new:
        yield f"{path}: {json.dumps(old)} -> {json.dumps(new)}"


#: What only users' own simulations can run, not the program: whole axes or values of one. Their tests are in
#: tb/tests/models/tlm and tb/tests/models/pins.
OF_USERS = ("tlm.style", "router.implementation = pins")


def axes() -> dict[str, list[str]]:
    """What `braid list` offers, by axis (the key that chooses)."""
    found: dict[str, list[str]] = {}
    axis = ""
    for line in braid("list").splitlines():
        if line.startswith("  "):
            found[axis].append(line.split()[0])
        else:
            axis = line.strip()
            found[axis] = []
    return found


def uncovered(taken_by: list[dict[str, Any]]) -> list[str]:
    """Values of axes that no golden experiment takes; an axis is named by its key."""
    missing = []
    for axis, values in axes().items():
        if axis in OF_USERS:
            continue
        section, key = axis.split(".")
        taken = {c[section][key] for c in taken_by if section in c and key in c[section]}
        left = [f"{axis} = {v}" for v in values if v not in taken]
        missing += [f"{policy}: no golden experiment has it" for policy in left if policy not in OF_USERS]
    return missing


def text(results: dict[str, Any]) -> str:
    """A golden file: short lists on one line, so that a change shows as few lines."""
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def without_rtl() -> bool:
    """Is the RTL of the golden experiments not there, or not built (scripts/build release rtl_mesh_packet)?"""
    job = Run("rtl", ROOT / "tb" / "experiments" / "mesh_uniform.toml", {"router.implementation": "rtl"})
    try:
        braid("check", job.experiment, *job.arguments())
    except BraidError as e:
        return "is not built" in str(e) or "no Verilated router" in str(e)
    return False


def compare(update: bool, only: list[str]) -> int:
    """Runs all (or `only` those named), prints what differs; returns the number of experiments that do."""
    all_jobs = runs()
    unknown = set(only) - {job.name for job in all_jobs}
    if unknown:
        print("\n".join(f"{name}: no golden experiment of this name" for name in sorted(unknown)))
        return len(unknown)
    asked = [job for job in all_jobs if not only or job.name in only]
    skipped = [j for j in asked if needs_rtl(j)]
    skipped = skipped if skipped and without_rtl() else []
    jobs = [job for job in asked if job not in skipped]
    different = 0
    results = [normal(r) for r in in_parallel(outcome, jobs)]
    for job, new in zip(jobs, results, strict=True):
        file = GOLDEN / f"{job.name}.json"
        old = json.loads(file.read_text()) if file.exists() else {}
        lines = list(differences(old, new))
        different += bool(lines)
        if lines:
            print(f"{job.name}: {len(lines)} fields differ")
        for line in lines[:MOST_LINES] if old else []:
            print(f"  {line}")
        if update and lines:
            file.write_text(text(new))
    names = {job.name for job in all_jobs}
    for file in sorted(GOLDEN.glob("*.json")):
        if file.stem in names or only:
            continue
        print(f"{file.name}: no experiment of this name")
        different += 1
        if update:
            file.unlink()
    missing = [] if skipped or only else uncovered([c for r in results for c in configurations(r)])
    print("\n".join(missing), end="\n" if missing else "")
    counts = f"{len(jobs) - different} passed, {0 if update else different + len(missing)} failed"
    print(counts + (f", {len(skipped)} skipped" if skipped else ""))
    return 0 if update else different + len(missing)


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="these experiments alone")
    parser.add_argument("--update", action="store_true", help="write the results anew and print what changed")
    parser.add_argument("--check", action="store_true", help="compare only (the default)")
    options = parser.parse_args()
    return 1 if compare(options.update, options.names) else 0


if __name__ == "__main__":
    sys.exit(main())
