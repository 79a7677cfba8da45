"""What a path for each pair of hosts changes, as a picture (docs/in-transit-buffers.md)."""

from __future__ import annotations

from braid_tools.papers.itb.points import BALANCED, BSMART, RANDOM, Routing
from braid_tools.papers.itb.tables import TABLE_1, TABLE_1_COLUMNS, UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork, Mean, ratio
from braid_tools.plots import Compared, Series

Evenness = dict[int, dict[Routing, Mean]]  # [switches][routing]


def published_over_random(routing: Routing, switches: int) -> float | None:
    """BALANCED's and BSMART's factors of Table 1; BSMART's by way of BALANCED's."""
    printed = dict(zip(TABLE_1_COLUMNS, TABLE_1["uniform", switches], strict=True))
    if routing == BALANCED:
        return printed[RANDOM]
    return printed[RANDOM] / printed[BSMART] if printed[BSMART] else None


def in_both(
    routing: Routing, hosts: Routing, found: dict[Routing, list[Mean | None]], **more: list[float | None]
) -> list[Series]:
    """A policy's values by pairs of switches, hollow, and of hosts."""
    return [
        Series(
            label=f"{routing.name}, pairs of {who}",
            policy=routing.paths,
            values=[m.mean if m else None for m in found[of]],
            spread=[m.deviation if m else 0.0 for m in found[of]],
            hollow=of == routing,
            **more,
        )
        for of, who in ((routing, "switches"), (hosts, "hosts"))
    ]


def panels(even: Evenness, throughputs: ByNetwork, hosts: dict[Routing, Routing]) -> list[Compared]:
    """How evenly links are used, and throughputs over RANDOM's; bars are deviations over topologies. `hosts`: each
    routing by pairs of hosts."""
    places = [f"{switches} switches" for switches in even]
    uneven = {r: [of.get(r) for of in even.values()] for r in (*hosts, *hosts.values())}
    left = [series for routing, own in hosts.items() for series in in_both(routing, own, uneven)]
    right = []
    for routing in (BALANCED, BSMART):
        published = [published_over_random(routing, switches) for switches in even]
        over = {
            r: [ratio(throughputs, r, random, s, UNIFORM) if r in even[s] else None for s in even]
            for r, random in ((routing, RANDOM), (hosts[routing], hosts[RANDOM]))
        }
        right += in_both(routing, hosts[routing], over, published=published)
    return [
        Compared(
            "With paths of hosts RANDOM uses links more evenly", "deviation over mean of paths on a link", places, left
        ),
        Compared("so balancing gains less over RANDOM", "throughput over RANDOM's", places, right),
    ]
