"""Tables 1 to 4 of in-transit-buffers: published figures, the networks they need, their rows."""

from __future__ import annotations

from collections.abc import Iterator

from braid_tools.comparison import Row
from braid_tools.papers.itb.points import (
    BALANCED,
    BMAX,
    BNUMBERED,
    BSMART,
    RANDOM,
    SMART,
    UD,
    Network,
    Routing,
    Traffic,
)
from braid_tools.papers.itb.throughputs import ByNetwork, ratio

UNIFORM = Traffic()
NEAR = Traffic("local", radius=1)  # to the next switches only
TABLE_1_PATTERNS = ("uniform", "hot_spot", "bit_reversal", "local", "combined")
SIZES = (16, 32, 64)
LENGTHS: tuple[int | str, ...] = (32, 512, "bimodal")

# Table 1: BALANCED over others, 512-byte messages, by pattern and number of switches.
TABLE_1_COLUMNS = (UD, SMART, BSMART, RANDOM)
TABLE_1 = {
    ("uniform", 16): (1.44, 1.12, 1.03, 1.21),
    ("uniform", 32): (1.99, 1.33, 1.03, 1.18),
    ("uniform", 64): (2.80, None, None, 1.16),
    ("hot_spot", 16): (1.06, 1.01, 1.00, 1.02),
    ("hot_spot", 32): (1.25, 1.09, 1.05, 1.07),
    ("hot_spot", 64): (2.00, None, None, 1.02),
    ("bit_reversal", 16): (1.45, 0.93, 1.09, 1.18),
    ("bit_reversal", 32): (2.13, 1.29, 1.05, 1.12),
    ("bit_reversal", 64): (2.94, None, None, 1.07),
    ("local", 16): (1.04, 1.07, 1.04, 1.06),
    ("local", 32): (1.04, 1.10, 1.07, 1.04),
    ("local", 64): (1.06, None, None, 1.03),
    ("combined", 16): (1.40, 1.10, 1.02, 1.16),
    ("combined", 32): (1.84, 1.25, 1.06, 1.17),
    ("combined", 64): (2.45, None, None, 1.11),
}
# Table 3: BNUMBERED over others, uniform, 512 bytes.
TABLE_3_COLUMNS = (UD, SMART, BALANCED, BMAX)
TABLE_3 = {16: (1.70, 1.32, 1.18, 0.98), 32: (2.51, 1.69, 1.27, 0.99), 64: (3.77, None, 1.35, 1.04)}
# Tables 2 and 4: per cent of latency that BALANCED and BNUMBERED add at a low load.
TABLE_2 = {
    (16, 32): (6.83, 8.04, 0.25, 3.13),
    (32, 32): (15.22, 15.57, 4.12, 4.23),
    (64, 32): (17.18, None, None, 4.31),
    (16, 512): (0.81, 1.63, 0.00, 0.48),
    (32, 512): (3.22, 3.38, 1.02, 0.94),
    (64, 512): (1.76, None, None, 1.12),
    (16, "bimodal"): (2.00, 3.69, -0.08, 1.11),
    (32, "bimodal"): (5.91, 8.23, 2.27, 1.93),
    (64, "bimodal"): (2.95, None, None, 2.79),
}
TABLE_4 = {
    (16, 32): (35.24, 36.78, 26.60, -25.00),
    (32, 32): (46.29, 46.74, 26.96, -29.62),
    (64, 32): (48.33, None, 26.58, -35.84),
    (16, 512): (7.92, 8.80, 7.05, -7.45),
    (32, 512): (9.91, 10.09, 6.48, -10.25),
    (64, 512): (9.55, None, 7.66, -13.02),
    (16, "bimodal"): (15.86, 17.77, 13.49, -15.08),
    (32, "bimodal"): (20.21, 22.84, 16.07, -20.65),
    (64, "bimodal"): (18.53, None, None, -26.26),
}
POINTS = 6.0  # of a penalty


def throughput_tolerance(a: Routing, b: Routing, pattern: str, published: float) -> float:
    """Relative: 8 % between placements, 0.06 where two are nearly equal, 25 % of a reversal, else 15 %."""
    if (a, b) == (BNUMBERED, BALANCED):
        return 0.08
    if b == BMAX or (b == BSMART and pattern == "uniform"):
        return 0.06 / published
    return 0.25 if pattern == "bit_reversal" else 0.15


Cell = tuple[str, Routing, Routing, int, Traffic, float]  # table, a, b, switches, traffic, published


def throughput_cells() -> Iterator[Cell]:
    """Every published figure of Tables 1 and 3."""
    for (pattern, switches), published in TABLE_1.items():
        for b, value in zip(TABLE_1_COLUMNS, published, strict=True):
            if value is not None:
                yield "Table 1", BALANCED, b, switches, Traffic(pattern), value
    for switches, published in TABLE_3.items():
        for b, value in zip(TABLE_3_COLUMNS, published, strict=True):
            if value is not None:
                yield "Table 3", BNUMBERED, b, switches, UNIFORM, value


def latency_cells() -> Iterator[Cell]:
    """Every published figure of Tables 2 and 4."""
    for name, a, columns, table in (
        ("Table 2", BALANCED, TABLE_1_COLUMNS, TABLE_2),
        ("Table 4", BNUMBERED, TABLE_3_COLUMNS, TABLE_4),
    ):
        for (switches, flits), published in table.items():
            for b, value in zip(columns, published, strict=True):
                if value is not None:
                    yield name, a, b, switches, Traffic("uniform", flits), value


def networks_of(cells: list[Cell], topologies: int) -> list[Network]:
    """What has to be measured for the cells."""
    return [
        Network(switches, instance, routing, traffic)
        for instance in range(topologies)
        for _, a, b, switches, traffic, _ in cells
        for routing in (a, b)
    ]


def throughput_rows(cells: list[Cell], throughputs: ByNetwork) -> list[Row]:
    """Factors of throughput."""
    rows = []
    for table, a, b, switches, traffic, published in cells:
        factor = ratio(throughputs, a, b, switches, traffic)
        quantity = f"throughput {a.name}/{b.name}, {switches} switches, {traffic.name} ({factor})"
        tolerance = throughput_tolerance(a, b, traffic.pattern, published)
        rows.append(Row(table, quantity, "1", published, factor.mean, round(tolerance, 4), no_effect=1))
    return rows


def latency_rows(cells: list[Cell], latencies: ByNetwork) -> list[Row]:
    """Penalties of latency, as factors: 100 % and what the paper adds; within POINTS."""
    rows = []
    for table, a, b, switches, traffic, per_cent in cells:
        factor = ratio(latencies, a, b, switches, traffic)
        published = 1 + per_cent / 100
        network = f"{switches} switches, {traffic.name} ({factor})"
        quantity = f"latency {a.name}/{b.name} at a low load ({per_cent:+.2f} %), {network}"
        tolerance = round(POINTS / 100 / published, 4)
        rows.append(Row(table, quantity, "1", round(published, 4), factor.mean, tolerance, no_effect=1))
    return rows
