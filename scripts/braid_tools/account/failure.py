"""A link that goes down (docs/in-transit-buffers.md): what was lost, and when hosts went over to new paths."""

from __future__ import annotations

import numpy as np

from braid_tools.account.figures import Tree
from braid_tools.account.log import NEVER, Log


def has_failure(configuration: Tree) -> bool:
    """Can packets be lost?"""
    return "failure" in configuration


def told(configuration: Tree) -> int:
    """First cycle in which hosts may not begin a packet of their own."""
    failure = configuration["failure"]
    return failure["cycle"] + round(failure["recompute_ns"] / configuration["router"]["flit_time_ns"])


def resumed(log: Log, configuration: Tree) -> int:
    """First cycle in which packets may begin by the new paths; NEVER if the run ended before."""
    held = told(configuration)
    old = (log.injected != NEVER) & (log.injected < held)
    over = np.maximum(log.delivered, log.lost)[old]
    if (over == NEVER).any():
        return NEVER
    return max([held, *(over + 1).tolist()])


def new_paths(log: Log, configuration: Tree) -> np.ndarray:
    """Which packets began by the new paths."""
    held = told(configuration)
    return log.injected >= held


def failure_figures(log: Log, configuration: Tree, results: Tree, end: int) -> Tree:
    """Flits that were lost are known to the program alone; that they make up for what is missing, `holds` says."""
    held, on = told(configuration), resumed(log, configuration)
    figures: Tree = {
        "packets_lost": int((log.lost != NEVER).sum()),
        "flits_lost": results["conservation"]["flits_lost"],
    }
    if held <= end:
        figures["held_from_cycle"] = held
    if held <= end and NEVER < on <= end:
        figures["resumed_cycle"] = on
    figures["held_cycles"] = max(0, figures.get("resumed_cycle", end) - held) if held <= end else 0
    return figures


def check_held(log: Log, configuration: Tree, complaints: list[str]) -> None:
    """No packet begins while hosts hold theirs back, and none is lost that began by the new paths."""
    held, on = told(configuration), resumed(log, configuration)
    early = (log.injected >= held) & (log.injected < on) if on != NEVER else log.injected >= held
    for i in np.flatnonzero(early | (new_paths(log, configuration) & (log.lost != NEVER))).tolist():
        complaints.append(
            f"log, packet {log.sequence[i]} of node {log.source[i]}: began in {log.injected[i]}, lost in "
            f"{log.lost[i]}; hosts were told in {held} and went on in {on}"
        )
    for i in np.flatnonzero((log.lost != NEVER) & (log.delivered != NEVER)).tolist():
        complaints.append(f"log, packet {log.sequence[i]} of node {log.source[i]}: lost and delivered")
