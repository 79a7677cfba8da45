"""Fits of energy and area to DSENT's figures, least squares of relative errors: the coefficients of
models/experiment/energy_model.cpp, with how far they are off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from braid_tools.energy.reference import NODES, Row, rows

#: Column -> what its coefficients multiply: P ports, V virtual channels a port, N flits of all, W bits.
TERMS: dict[str, Callable[[float, float, float, float], list[float]]] = {
    "write_fj": lambda p, v, n, w: [w, w * n],
    "read_fj": lambda p, v, n, w: [w, w * n],
    "crossbar_fj": lambda p, v, n, w: [w, w * p],
    "arbitration_fj": lambda p, v, n, w: [1, p * p, p * v * v],
    "clock_fj": lambda p, v, n, w: [1, p * w],
    "leakage_nw": lambda p, v, n, w: [p * w, p * w * n],
    "buffers_um2": lambda p, v, n, w: [p * w, p * w * n],
    "crossbar_um2": lambda p, v, n, w: [p * w, (p * w) ** 2],
    "allocator_um2": lambda p, v, n, w: [p**3, p * v * v],
}


@dataclass
class Fit:
    """Of one column at one node."""

    coefficients: list[float]
    worst: float  # relative error at the points that were fitted
    elsewhere: float  # ... at the others


def _terms(column: str, some: list[Row]) -> np.ndarray:
    return np.array([TERMS[column](r["ports"], r["vcs"], r["flits"], r["bits"]) for r in some], float)


def fit(column: str, node: int) -> Fit:
    """The coefficients, to three digits, as the program has them."""
    fitted, others = rows("fitted", node), rows("held_out", node) + rows("example", node)
    values = np.array([row[column] for row in fitted])
    exact, *_ = np.linalg.lstsq(_terms(column, fitted) / values[:, None], np.ones(len(values)), rcond=None)
    coefficients = np.array([float(f"{one:.3g}") for one in exact])
    errors = [
        float(np.abs(_terms(column, some) @ coefficients / np.array([row[column] for row in some]) - 1).max())
        for some in (fitted, others)
    ]
    return Fit(coefficients.tolist(), *errors)


#: Column -> what a page calls it, and its formula.
NAMES = {
    "write_fj": ("buffer write, fJ", "W (a + b N)"),
    "read_fj": ("buffer read, fJ", "W (a + b N)"),
    "arbitration_fj": ("arbitration, fJ", "a + b P² + c P V²"),
    "crossbar_fj": ("crossbar, fJ", "W (a + b P)"),
    "clock_fj": ("clock, fJ a cycle", "a + b P W"),
    "leakage_nw": ("leakage, nW", "P W (a + b N)"),
    "buffers_um2": ("buffers, µm²", "P W (a + b N)"),
    "crossbar_um2": ("crossbar, µm²", "P W (a + b P W)"),
    "allocator_um2": ("allocators, µm²", "P (a P² + b V²)"),
}


def table() -> list[str]:
    """Rows for docs/energy.md: formula, coefficients at both nodes, how far they are off."""
    lines = []
    for column, (name, formula) in NAMES.items():
        fits = [fit(column, node) for node in NODES]
        cells = [", ".join(f"{c:g}" for c in one.coefficients) for one in fits]
        worst, elsewhere = max(one.worst for one in fits), max(one.elsewhere for one in fits)
        lines.append(f"| {name} | {formula} | {' | '.join(cells)} | {worst:.0%} | {elsewhere:.0%} |")
    return lines
