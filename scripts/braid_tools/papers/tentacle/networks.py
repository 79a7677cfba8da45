"""The networks that tentacle-routing compares, as keys of tb/experiments/fm_radio.toml, their figure of merit, and
where the graphs of its benchmarks are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from braid_tools.program import ROOT, Results

GRAPHS = Path(__file__).parent / "graphs"  # MIT's partitions and layouts, written by convert.py
EXPERIMENT = ROOT / "tb" / "experiments" / "fm_radio.toml"
REFERENCE = "push, adaptive"
PUSH_X = "push, X-first"

PACKET = {"interface.switching": "packet"}
ADAPTIVE = {"routing.algorithm": "minimal_adaptive"}
PULL = {"interface.transfer": "pull"}
NETWORKS: dict[str, dict[str, Any]] = {
    "pull, X-first": {**PACKET, **PULL},
    "pull, adaptive": {**PACKET, **PULL, **ADAPTIVE},
    "push, X-first": PACKET,
    "push, adaptive": {**PACKET, **ADAPTIVE},
    "tentacle": {},
    "ideal": {**PACKET, "router.architecture": "ideal"},
}


def throughput(result: Results) -> float:
    """Steady states of the stream program per 1000 cycles."""
    return result["stream"]["iterations_per_kilocycle"]["mean"]
