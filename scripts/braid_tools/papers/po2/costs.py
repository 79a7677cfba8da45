"""Section 5's costs of scheduling, what a rejection and an error on a link cost, and the crossbars beside the pool:
rows, costs.csv and costs.png."""

from __future__ import annotations

from typing import Any

from braid_tools.comparison import Kind, Row
from braid_tools.papers.po2.points import FIFO, ROUND_ROBIN, ROUTINGS, SHORT, Figures, Point, Runs, Settings
from braid_tools.papers.po2.rows_fifo import POINTS, UTILIZATIONS
from braid_tools.papers.po2.statements import BEST, NAMES, order

Table = list[dict[str, Any]]
Panels = dict[str, tuple[str, str, dict[str, tuple[list[float], list[float]]]]]
ALPHA = 8.0
SCHEDULERS = {"FIFO": FIFO, "round robin": ROUND_ROBIN, "alpha = 8": ALPHA}
REJECTIONS = ("seen", "tried_on_links", "tried")
POOLS = (0, 100, 50, 30)  # packets; 0: without end
SWITCHES = (0, 20, 40, 80)
ERRORS = (0.0, 0.01, 0.02, 0.05)
CROSSBARS = (1, 2, 3, 4, 0)  # ports of each; 0: as many as the router
KEPT_UP = 0.6  # accepted of u = 0.67: a point that is saturated would dwarf the others
TRIED = "senders try in vain on links"


def pool(packets: int) -> Settings:
    """Of message data on each interface. First in, first out holds one message at a time, and has no such key."""
    return (("interface.message_pool_packets", packets),)


def switch(cycles: int) -> Settings:
    """For each packet of another message than the one before."""
    return (("po2.switch_cycles", cycles),)


def crossbars(ports: int) -> Settings:
    """So many ports of each."""
    return (("po2.crossbar_in_ports", ports), ("po2.crossbar_out_ports", ports))


def groups() -> dict[str, list[tuple[Any, Point]]]:
    """What is varied -> its values, with the points that have them."""
    kept = {name: scheduler for name, scheduler in SCHEDULERS.items() if scheduler != FIFO}
    return {
        "po2.rejection": [(r, Point(g, extra=(("po2.rejection", r),))) for g in ROUTINGS for r in REJECTIONS],
        "interface.message_pool_packets": [
            (p, Point(BEST, s, SHORT, extra=pool(p))) for s in kept.values() for p in POOLS
        ],
        "po2.switch_cycles": [(c, Point(BEST, s, extra=switch(c))) for s in SCHEDULERS.values() for c in SWITCHES],
        "po2.error_rate": [(e, Point(g, extra=(("po2.error_rate", e),))) for g in ROUTINGS for e in ERRORS],
        "po2.crossbar_in_ports, crossbar_out_ports": [
            (n, Point(g, extra=crossbars(n))) for g in ROUTINGS for n in CROSSBARS
        ],
    }


def a_packet(figures: Figures, figure: str) -> float:
    """A figure of all routers or nodes, for each packet that is injected."""
    raw = figures.raw
    packets = sum(raw["classes"][0]["injected_packets_by_node"])
    return raw["router_per_cycle"][figure] * raw["measured_cycles"] / packets


def table(runs: Runs) -> Table:
    """Every point of groups()."""
    varied = groups()
    runs.prepare(point for points in varied.values() for _, point in points)
    rows: Table = []
    for key, points in varied.items():
        for value, point in points:
            at = runs[point]
            row = {"key": key, "value": value, "routing": point.routing, "scheduler": point.scheduler}
            row |= {"all": round(at.all, 1), "short": round(at.short, 1), "long": round(at.long, 1)}
            row |= {"packet": round(at.packet, 1), "pe_port": round(at.pe_port, 2), "internal": round(at.internal, 2)}
            row |= {"accepted_u": round(at.accepted, 4)}
            figures = ("rejections", "retransmissions", "message_switches", "message_misses")
            row |= {f"{name}_a_packet": round(a_packet(at, name), 4) for name in figures}
            rows.append(row)
    return rows


def panels(rows: Table) -> Panels:
    """A panel for each key, of the message latency over packets."""

    def lines(key: str, by: str, last: float) -> dict[str, tuple[list[float], list[float]]]:
        found: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            if row["key"] != key or row["accepted_u"] < KEPT_UP:
                continue
            value = REJECTIONS.index(row["value"]) if row["value"] in REJECTIONS else row["value"] or last
            name = NAMES[row["routing"]] if by == "routing" else {v: k for k, v in SCHEDULERS.items()}[row[by]]
            found.setdefault(name, []).append((value, row["all"]))
        return {name: tuple(map(list, zip(*sorted(points), strict=True))) for name, points in found.items()}

    y = "message latency / packets, cycles"
    return {
        "a rejection costs more the less adaptive routing is": (
            "seen, tried on links, tried", y, lines("po2.rejection", "routing", 0)),
        "a pool of message data strains round robin": (
            "packets (150: no end)", y, lines("interface.message_pool_packets", "scheduler", 150)),
        "round robin switches with every packet": (
            "cycles a switch", y, lines("po2.switch_cycles", "scheduler", 0)),
        "errors are repaired link by link": ("share damaged", y, lines("po2.error_rate", "routing", 0)),
        "few ports of a crossbar are in use at once": (
            "ports (7: all)", y, lines("po2.crossbar_in_ports, crossbar_out_ports", "routing", 7)),
    }  # fmt: skip


def rejected(runs: Runs) -> list[Row]:
    """Figure 4 where a sender learns of a full pool by trying (section 2: "a node can reject a packet")."""
    note = "a try that is in vain takes the link: docs/po2.md"
    rows = []
    for routing, (pe_port, internal) in UTILIZATIONS.items():
        at, name = runs[Point(routing, extra=(("po2.rejection", "tried_on_links"),))], NAMES[routing]
        for what, published, measured in (("PE port", pe_port, at.pe_port), ("internal", internal, at.internal)):
            quantity = f"{what} utilization, {name}, u = 0.67, {TRIED}"
            rows.append(Row("figure 4", quantity, "%", published, measured, POINTS / published, note))
    return rows


def scheduling(runs: Runs) -> list[Row]:
    """Section 5's three drawbacks of round robin beside alpha scheduling."""

    def over_none(scheduler: str | float, settings: Settings) -> float:
        return runs[Point(BEST, scheduler, extra=settings)].all / runs[Point(BEST, scheduler)].all

    both = (ALPHA, ROUND_ROBIN)
    strained = [max(over_none(s, pool(p)) for p in POOLS[1:]) for s in both]
    switched = [over_none(s, switch(SWITCHES[-1])) for s in both]
    missed = [a_packet(runs[Point(BEST, s)], "message_misses") for s in both]
    return [
        order("section 5", "most strain of pools of 30, 50, 100 packets, latency over none: alpha = 8 < round robin",
              strained),
        order("section 5", "state switches of 80 cycles, latency over none: alpha = 8 < round robin", switched),
        order("section 5", "cache misses a packet with one message at hand: alpha = 8 < round robin", missed),
    ]  # fmt: skip


def own(runs: Runs) -> list[Row]:
    """What must hold whatever the paper says."""
    rate = ERRORS[-1]
    lossy = runs[Point(BEST, extra=(("po2.error_rate", rate),))]
    again = a_packet(lossy, "retransmissions") / lossy.hops
    plain = runs[Point(BEST)].raw["router_per_cycle"]
    both = plain["crossbar_in_busy"] + plain["crossbar_out_busy"]
    ports = 6 * plain["link_busy"] + plain["pe_port_busy"]
    return [
        Row("closed form", "retransmissions a crossing, error rate 0.05: e / (1 - e)", "1", rate / (1 - rate), again,
            0.03, stated_kind=Kind.CLOSED_FORM),
        Row("closed form", "ports in use of both crossbars over ports of routers in use", "1", 1, both / ports, 1e-6,
            stated_kind=Kind.CLOSED_FORM),
    ]  # fmt: skip


def rows(runs: Runs) -> list[Row]:
    """Issue 37, 15 to 17."""
    extras = ((), switch(SWITCHES[-1]), *map(pool, POOLS[1:]))
    needed = [Point(BEST, s, extra=extra) for s in (ALPHA, ROUND_ROBIN) for extra in extras]
    needed += [Point(BEST), Point(BEST, extra=(("po2.error_rate", ERRORS[-1]),))]
    needed += [Point(g, extra=(("po2.rejection", "tried_on_links"),)) for g in ROUTINGS]
    runs.prepare(needed)
    return rejected(runs) + scheduling(runs) + own(runs)
