"""Our own netlist's cells (docs/synthesis.md) as area at 45 nm, beside the fits to DSENT."""

from __future__ import annotations

import re
from collections.abc import Iterator

from braid_tools.energy.fits import TERMS, fit
from braid_tools.program import ROOT

PAGE = ROOT / "docs" / "synthesis.md"
GATE, FLIP_FLOP = 1.056, 5.28  # um2 of DSENT's NAND2 and DFF at 45 nm
LINE = re.compile(r"\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| packets only \| ([\d,]+) \| ([\d,]+) \|")


def packet_routers() -> Iterator[tuple[int, int, int, int, int, int]]:
    """Ports, virtual channels, flits of each, bits, gates, flip-flops."""
    for found in LINE.findall(PAGE.read_text()):
        yield tuple(int(word.replace(",", "")) for word in found)  # type: ignore[misc]


def fitted_area(ports: int, vcs: int, depth: int, bits: int) -> float:
    """By the fits, at 45 nm."""
    columns = ("buffers_um2", "crossbar_um2", "allocator_um2")
    terms = {column: TERMS[column](ports, vcs, vcs * depth, bits) for column in columns}
    return sum(c * x for column in columns for c, x in zip(fit(column, 45).coefficients, terms[column], strict=True))


def table() -> list[str]:
    """Rows for docs/energy.md."""
    lines = []
    for ports, vcs, depth, bits, gates, flip_flops in packet_routers():
        cells = gates * GATE + flip_flops * FLIP_FLOP
        area = fitted_area(ports, vcs, depth, bits)
        lines.append(f"| {ports} | {vcs} | {depth} | {bits} | {cells:,.0f} | {area:,.0f} | {cells / area:.2f} |")
    return lines
