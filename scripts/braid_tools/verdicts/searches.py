"""Searches of braid sweep against dense sweeps: saturation of an 8x8 mesh within 1 % in at most 12 loads; a curve of 12
loads whose interpolation is within 2 % of 40 runs between them, wherever such a run knows its own latency to 2 %. Next
to saturation none does: what the curve and those runs are apart is said beside it.

Usage: python -m braid_tools.verdicts.searches [--quick] [--record]"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import braid
from braid.explore.database import Database
from braid.explore.interpolation import interpolated
from braid.explore.plan import RATE, Plan, axis_of
from braid.explore.search import Found, Search
from braid.explore.searching import adaptive, search_all
from braid.explore.sweep import runner

from braid_tools import program, recorded

OUT = program.ROOT / "results" / "verdicts"
KEPT = program.ROOT / "docs" / "results" / "searches.csv"  # of the last full run that was recorded
COMMAND = "python -m braid_tools.verdicts.searches --record"
MOST_APART = {"saturation": 0.01, "curve": 0.02}
MOST_RUNS = 12
#: How the text of a CSV becomes a field.
KINDS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "float | None": lambda text: float(text) if text else None,
}
STEP = 0.005  # of the saturation that was found: between loads of the dense sweep
STEPS = 12  # on each side of it
LOADS = 40  # between the ends of the curve
KNOWN = 0.02  # of a mean latency: half of its 95 % interval at most, to be held against a curve


@dataclass(frozen=True)
class Case:
    """What is searched. Near saturation a mean latency needs a window hundreds of times longer than far from it: runs
    of the curve measure until their interval is narrow, `most_cycles` at most."""

    name: str
    experiment: braid.Experiment
    seeds: Sequence[int]
    most_cycles: int
    loads: tuple[float, float]  # the ends of the curve's search; beyond saturation backlogs need memory
    most_apart: dict[str, float]

    def saturation(self, seed: int) -> Plan:
        """Between no load and all."""
        return Plan([self.experiment.with_(experiment__seed=seed)])

    def curve(self, seed: int) -> Plan:
        """With windows of the length that the interval asks for."""
        longer = {"simulation__until": "latency 0.5 %", "simulation__most_measure_cycles": self.most_cycles}
        one = self.experiment.with_(experiment__seed=seed, **longer)
        return Plan([one], [axis_of(RATE, list(self.loads), "loads")])


def full() -> Case:
    """As the page has it."""
    experiment = braid.mesh(8, 8, vcs=4, simulation__measure_cycles=100_000)
    return Case("8x8", experiment, (1,), 200_000, (0.02, 0.45), MOST_APART)


def quick() -> Case:
    """Short windows of a small mesh."""
    experiment = braid.mesh(4, 4, vcs=4, simulation__measure_cycles=20_000)
    return Case("4x4", experiment, (1,), 200_000, (0.05, 0.8), MOST_APART)


@dataclass(frozen=True)
class Row:
    """What a search of one seed has found, beside the dense sweep. Of a curve: its latency and that of a run, at the
    load where they differ most among those where the run knows its latency, and half the 95 % interval of that run."""

    mesh: str
    search: str
    seed: int
    runs: int
    at_load: float
    found: float
    dense: float
    dense_half_width: float | None
    apart: float
    most_apart: float
    loads: int  # of the dense sweep
    known: int  # of them, those that were looked at
    apart_elsewhere: float  # at most, at the others

    @property
    def good(self) -> bool:
        """As near as it should be, in as few runs."""
        return self.runs <= MOST_RUNS and self.apart <= self.most_apart

    @property
    def said(self) -> str:
        """In a line."""
        what = f"saturation {self.found:.4f}, dense {self.dense:.4f}"
        if self.search == "curve":
            half = "?" if self.dense_half_width is None else f"{self.dense_half_width:.2f}"
            what = f"curve {self.found:.2f} cycles at {self.at_load:.4f}, run {self.dense:.2f} ± {half}"
            what += f" ({self.known} of {self.loads} loads; elsewhere up to {self.apart_elsewhere:.2%} apart)"
        wrong = "" if self.good else f"; expected {self.most_apart:.0%} in {MOST_RUNS} loads at most"
        return f"{self.mesh} seed {self.seed}: {what}: {self.apart:.2%} apart, {self.runs} loads{wrong}"


def searched(case: Case, seed: int, store: Path) -> tuple[Found, Found]:
    """Saturation by bisection, and a curve of few points."""
    with Database(store) as kept, runner(kept, progress=False) as run:
        [(_, saturation)] = search_all(case.saturation(seed), run, Search.saturation)
        [(_, curve)] = adaptive(case.curve(seed), run, MOST_RUNS)
    return saturation, curve


def dense(plan: Plan, loads: list[float], store: Path) -> dict[float, braid.Result]:
    """By load."""
    rest, _ = plan.without(RATE)
    plan = Plan(rest.experiments, [axis_of(RATE, loads, "loads")])
    with Database(store) as kept, runner(kept, progress=False) as run:
        return {row.varied[RATE]: braid.Result(row.results or {}) for row in run.rows(plan.points())}


def saturation_row(case: Case, seed: int, found: Found, store: Path) -> Row:
    """The middle of the bracket, beside the middle of the dense sweep's first saturated load and the one before."""
    assert found.carried is not None and found.saturated is not None
    middle = (found.carried + found.saturated) / 2
    near = [round(middle * (1 + STEP * n), 6) for n in range(-STEPS, STEPS + 1)]
    runs = dense(case.saturation(seed), near, store)
    first = next((n for n, load in enumerate(near) if runs[load].saturated), len(near) - 1)
    true = (near[max(first - 1, 0)] + near[first]) / 2
    return Row(
        mesh=case.name,
        search="saturation",
        seed=seed,
        runs=len(found.groups),
        at_load=middle,
        found=middle,
        dense=true,
        dense_half_width=None,
        apart=abs(middle / true - 1),
        most_apart=case.most_apart["saturation"],
        loads=len(near),
        known=len(near),
        apart_elsewhere=0.0,
    )


def curve_row(case: Case, seed: int, found: Found, store: Path) -> Row:
    """Where the curve is farthest from runs between its points."""
    xs, ys = found.curve()
    loads = [round(xs[0] + (xs[-1] - xs[0]) * (n + 0.5) / LOADS, 6) for n in range(LOADS)]
    runs = {load: result.latency for load, result in dense(case.curve(seed), loads, store).items()}
    drawn = {load: interpolated(xs, ys, load) for load in loads}
    apart = {load: abs(drawn[load] / float(runs[load]) - 1) for load in loads}
    known = [load for load in loads if is_known(runs[load])]
    at = max(known, key=lambda load: apart[load])
    elsewhere = max((apart[load] for load in loads if load not in known), default=0.0)
    return Row(
        mesh=case.name,
        search="curve",
        seed=seed,
        runs=len(found.groups),
        at_load=at,
        found=drawn[at],
        dense=float(runs[at]),
        dense_half_width=runs[at].half_width,
        apart=apart[at],
        most_apart=case.most_apart["curve"],
        loads=len(loads),
        known=len(known),
        apart_elsewhere=elsewhere,
    )


def is_known(latency: braid.Estimate) -> bool:
    """Is the interval of a mean narrow?"""
    return latency.half_width is not None and latency.half_width <= KNOWN * float(latency)


def measured(case: Case, store: Path) -> list[Row]:
    """Both searches of every seed."""
    rows = []
    for seed in case.seeds:
        saturation, curve = searched(case, seed, store)
        rows += [saturation_row(case, seed, saturation, store), curve_row(case, seed, curve, store)]
    return rows


def write(path: Path, rows: Iterable[Row]) -> None:
    """With version, date and command in a line of its own."""
    recorded.write(path, rows, COMMAND)


def read(path: Path) -> list[Row]:
    """As written."""
    kinds = {one.name: KINDS[str(one.type)] for one in fields(Row)}
    return [Row(**{name: kinds[name](value) for name, value in line.items()}) for line in recorded.read(path)]


def figures() -> dict[str, str]:
    """For pages: the worst of all seeds."""
    kept = read(KEPT)
    found = {"seeds": str(len({row.seed for row in kept}))}
    for search in MOST_APART:
        rows = [row for row in kept if row.search == search]
        found[f"{search}_apart"] = f"{100 * max(row.apart for row in rows):.1f}"
        found[f"{search}_runs"] = str(max(row.runs for row in rows))
        found[f"{search}_known"] = str(min(row.known for row in rows))
        found[f"{search}_loads"] = str(max(row.loads for row in rows))
        found[f"{search}_elsewhere"] = f"{100 * max(row.apart_elsewhere for row in rows):.1f}"
    return found


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a 4x4 mesh and short windows, as the tests take them")
    parser.add_argument("--record", action="store_true", help="write the rows of a full run into docs/results")
    words = parser.parse_args()
    if words.quick and words.record:
        parser.error("--record: expected a full run")
    OUT.mkdir(parents=True, exist_ok=True)
    rows = measured(quick() if words.quick else full(), OUT / "searches.sqlite")
    print("\n".join(row.said for row in rows))
    if words.record:
        write(KEPT, rows)
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
