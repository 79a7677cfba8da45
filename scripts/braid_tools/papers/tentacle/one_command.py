"""The nine StreamIt programs by the one command, `braid run PROGRAM.str --network NAME`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from braid_tools.program import ROOT, braid

PROGRAMS = ROOT / "traffic" / "streams" / "programs"
WINDOW = {"simulation.batch_cycles": 5000, "simulation.measure_cycles": 20000, "simulation.max_warmup_cycles": 20000}


def words(settings: dict[str, Any]) -> list[str]:
    """As --set options."""
    return [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]


def results(program: Path, size: int, network: str, settings: dict[str, Any], *more: str | Path) -> dict[str, Any]:
    """Of one run."""
    arguments = [*more]
    arguments += ["--mesh", f"{size}x{size}", "--network", network, "--quiet", "--json", "-"]
    return json.loads(braid("run", program, *arguments, *words(WINDOW | settings)))


def throughput(run: dict[str, Any]) -> float:
    """Steady states of the program a kilocycle."""
    return run["stream"]["program_steady_states_per_kilocycle"]["mean"]
