"""Searches of braid sweep against dense sweeps: saturation of an 8x8 mesh within 1 % in at most 12 loads; a curve of 12
loads whose interpolation is within 2 % of 40 loads between them."""

from __future__ import annotations

import sys
from pathlib import Path

import braid
from braid.explore.database import Database
from braid.explore.interpolation import interpolated
from braid.explore.plan import RATE, Plan, axis_of
from braid.explore.search import Found, Search
from braid.explore.searching import adaptive, search_all
from braid.explore.sweep import runner

from braid_tools.program import ROOT

OUT = ROOT / "results" / "verdicts"
STEP = 0.002
LOADS = 40
POINTS = 12


def experiment() -> braid.Experiment:
    """A long window, so that the truth is known well."""
    return braid.mesh(8, 8, vcs=4, simulation__measure_cycles=100_000)


def searched(store: Path) -> tuple[Found, Found]:
    """Saturation by bisection, and a curve of few points."""
    plan = Plan([experiment()])
    with Database(store) as kept, runner(kept, progress=False) as run:
        [(_, saturation)] = search_all(plan, run, Search.saturation)
        [(_, curve)] = adaptive(plan, run, POINTS)
    return saturation, curve


def dense(loads: list[float], store: Path) -> dict[float, tuple[bool, float]]:
    """load -> saturated?, latency."""
    plan = Plan([experiment()], [axis_of(RATE, loads, "loads")])
    with Database(store) as kept, runner(kept, progress=False) as run:
        rows = run.rows(plan.points())
    figures = [(row.varied[RATE], braid.Result(row.results or {})) for row in rows]
    return {load: (result.saturated, float(result.latency)) for load, result in figures}


def main() -> int:
    """Entry point."""
    OUT.mkdir(parents=True, exist_ok=True)
    store = OUT / "searches.sqlite"
    saturation, curve = searched(store)
    assert saturation.carried is not None and saturation.saturated is not None
    found = (saturation.carried + saturation.saturated) / 2
    near = [round(found + STEP * n, 6) for n in range(-12, 13)]
    verdicts = dense(near, store)
    first = min((load for load, (saturated, _) in verdicts.items() if saturated), default=near[-1])
    off = abs(found / (first - STEP / 2) - 1)
    print(f"saturation {found:.4f} in {len(saturation.groups)} loads, dense {first - STEP / 2:.4f}: {off:.2%} apart")
    xs, ys = curve.curve()
    loads = [round(xs[0] + (xs[-1] - xs[0]) * (n + 0.5) / LOADS, 6) for n in range(LOADS)]
    errors = {load: abs(interpolated(xs, ys, load) / latency - 1) for load, (_, latency) in dense(loads, store).items()}
    worst = max(errors, key=lambda load: errors[load])
    print(f"curve of {len(curve.groups)} loads: at most {errors[worst]:.2%} off at {LOADS} loads (at {worst:.4f})")
    return 0 if off <= 0.01 and len(saturation.groups) <= 12 and errors[worst] <= 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
