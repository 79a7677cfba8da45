"""The short experiments of tb/golden/experiments.toml, whose results are kept in the repository."""

from __future__ import annotations

import tomllib

from braid_tools.program import ROOT, Run

GOLDEN = ROOT / "tb" / "golden"
CIRCUITS = "circuits_"  # experiments whose names begin so are for `braid circuits`, all others for `braid run`


def runs() -> list[Run]:
    """The experiments as they stand in experiments.toml."""
    table = tomllib.loads((GOLDEN / "experiments.toml").read_text())
    common = table.pop("common")
    folder = ROOT / "tb" / "experiments"
    return [Run(name, folder / f"{e['experiment']}.toml", common | e["set"]) for name, e in table.items()]


def needs_rtl(job: Run) -> bool:
    """Does it take a library of Verilated routers or stages?"""
    return any(key == "router.implementation" or key.startswith("stage.") for key in job.settings)
