"""Sentences of section 4.2.2 about what Figure 7 and Table 3 do not show: BNUMBERED under other patterns ("throughput
improvements are lower (but still noticeable). For local traffic pattern, throughput is not decreased"), and of section
4.1: messages of 1 KB."""

from __future__ import annotations

from braid_tools.comparison import Kind, Row
from braid_tools.papers.itb.points import BALANCED, BNUMBERED, UD, Network, Routing, Traffic, Window
from braid_tools.papers.itb.tables import NEAR, UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork, find_throughputs, ratio
from braid_tools.study import Study

OTHERS = tuple(Traffic(pattern) for pattern in ("hot_spot", "bit_reversal", "combined"))
LOCAL = (Traffic("local"), NEAR)
LONG = Traffic("uniform", 1024)
COMPARED = (UD, BALANCED)  # BALANCED is BMIN
STILL = 0.02  # relative: what is not less than that is not decreased
LOWER = "For other traffic patterns (not shown) throughput improvements are lower (but still noticeable)"
NOT_LESS = "For local traffic pattern, throughput is not decreased"


def pattern_networks(switches: int, topologies: int) -> list[Network]:
    """What the rows of a size need."""
    traffics = (UNIFORM, *OTHERS, *LOCAL, LONG)
    routings = (*COMPARED, BNUMBERED)
    return [Network(switches, i, r, t) for t in traffics for r in routings for i in range(topologies)]


def improvement_rows(throughputs: ByNetwork, switches: int, other: Routing) -> list[Row]:
    """BNUMBERED over another routing: more than that, and less so than under uniform traffic."""
    uniform = ratio(throughputs, BNUMBERED, other, switches, UNIFORM).mean
    rows = []
    for traffic in OTHERS:
        factor = ratio(throughputs, BNUMBERED, other, switches, traffic)
        what = f"throughput BNUMBERED/{other.name}, {switches} switches, {traffic.name}"
        figures = f"({factor.mean:.2f}, uniform {uniform:.2f}; {factor})"
        for text, true in (("above 1", factor.mean > 1 + STILL), ("below uniform's", factor.mean < uniform)):
            row = Row("Section 4.2.2", f"{what}: {text} {figures}", "holds", 1, float(true), 0.0, quote=LOWER)
            rows.append(row)
    for traffic in LOCAL:
        factor = ratio(throughputs, BNUMBERED, other, switches, traffic)
        what = f"throughput BNUMBERED/{other.name}, {switches} switches, {traffic.name}".replace("(", "").replace(
            ")", ""
        )
        true = factor.mean >= 1 - STILL
        text = f"{what}: no less than 1 ({factor.mean:.2f}; {factor})"
        rows.append(Row("Section 4.2.2", text, "holds", 1, float(true), 0.0, quote=NOT_LESS))
    return rows


def long_rows(throughputs: ByNetwork, switches: int) -> list[Row]:
    """Section 4.1 has messages of 1 KB, of which the paper shows nothing: routings in the order of 512 bytes."""
    over = {r: ratio(throughputs, r, UD, switches, LONG) for r in (BALANCED, BNUMBERED)}
    true = 1 < over[BALANCED].mean < over[BNUMBERED].mean
    figures = ", ".join(f"{r.name}/UD {m.mean:.2f}" for r, m in over.items())
    what = f"{switches} switches, {LONG.name}: BNUMBERED above BALANCED above UD ({figures})"
    return [Row("Section 4.1", what, "holds", 1, float(true), 0.0, stated_kind=Kind.OWN)]


def rows(study: Study, sizes: tuple[int, ...], topologies: int, window: Window) -> list[Row]:
    """Of all sizes."""
    networks = [n for s in sizes for n in pattern_networks(s, topologies)]
    throughputs, _ = find_throughputs(study, networks, window)
    found = [row for s in sizes for other in COMPARED for row in improvement_rows(throughputs, s, other)]
    return found + [row for s in sizes for row in long_rows(throughputs, s)]
