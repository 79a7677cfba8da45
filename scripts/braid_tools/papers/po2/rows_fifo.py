"""Rows for sections 2 and 3 of po2-message-scheduling: the node, the workloads, FIFO; figures 2 to 7 and 16."""

from __future__ import annotations

from braid_tools.comparison import Kind, Row
from braid_tools.papers.po2.points import (
    FIFO,
    FULL_LOAD_CYCLES,
    IDLE,
    LONG,
    PACKET_FLITS,
    ROUTINGS,
    SHORT,
    Figures,
    Point,
    Runs,
    large,
)
from braid_tools.papers.po2.statements import (
    BEST,
    DEROUTING,
    DETERMINISTIC,
    NAMES,
    at_every_load,
    order,
    order_beyond_noise,
    spread,
)

POINTS = 3.0  # per cent of time: how far a utilization may be off
ROUNDED = 0.5  # points: shares are published as whole percents
PAYLOAD_BYTES = 128  # of a packet's 160: the paper's 640 bytes in 5 packets, 3200 in 25
UTILIZATIONS = {  # figure 4 and its text, at 67 % load: PE port, internal port
    DETERMINISTIC: (77, 47),
    BEST: (73, 54),
    DEROUTING: (69, 67),
}
E3 = Point(BEST, FIFO, SHORT, 0.1, (("topology.edge", 3),))


def given(figure: str, quantity: str, unit: str, published: float, measured: float) -> Row:
    """What the experiment was given, or counts of it."""
    return Row(figure, quantity, unit, published, measured, 0.0, stated_kind=Kind.INPUT)


def node(runs: Runs) -> list[Row]:
    """Section 2: the mesh, the node, and its parameters as an idle network shows them."""
    runs.prepare([E3, IDLE])
    idle, busy = runs[IDLE], runs[Point(BEST)]
    of_length = {e["packets"]: e["latency_mean_cycles"] for e in idle.raw["messages"]["by_length"]}
    packets_a_cycle = busy.raw["classes"][0]["accepted_flits_per_node_cycle"]["mean"] / PACKET_FLITS
    settings = busy.raw["configuration"]["po2"]
    link = busy.link_busy * 3 / (packets_a_cycle * busy.hops)  # a node has six halves of a link
    return [
        given("section 2", "nodes of E3", "nodes", 19, runs[E3].nodes),
        given("section 2", "nodes of E6", "nodes", 91, busy.nodes),
        given("section 2", "neighbours of a node", "links", 6, len(busy.raw["links"]) / busy.nodes),
        given("section 2", "buffers of a node, as configured", "packets", 20, settings["buffers"]),
        Row("section 2", "a packet on a link (less acknowledgement)", "cycles", 160,
            link - settings["acknowledge_cycles"], 0.01),
        Row("section 2", "one more packet of a message into the network, 80 + 160", "cycles", 240,
            (of_length[5] - of_length[1]) / 4, 0.01),
        Row("section 2", "PE port, a packet in and a packet out, 80 + 160 + 20 + 160", "cycles", 420,
            busy.pe_busy / packets_a_cycle, 0.01),
        Row("section 2", "header and route, each router of an idle network", "cycles", 12,
            (idle.packet + 1 - 260) / (idle.hops + 1), 0.01),  # first cycle to last: one less than it takes
    ]  # fmt: skip


def workload(runs: Runs) -> list[Row]:
    """Section 3 and figure 16."""
    short, long = runs[Point(BEST)], runs[Point(BEST, FIFO, LONG)]
    messages = short.raw["messages"]
    lengths = [entry["packets"] for entry in messages["by_length"]]
    shares = [e["messages"] for e in messages["by_length"] if e["packets"] <= 5]
    gap = short.raw["measured_cycles"] * short.nodes / messages["created"] / FULL_LOAD_CYCLES
    rows = [
        given("section 3", "short messages, most packets", "packets", 5, lengths[-2]),
        Row("section 3", "short messages, most over least frequent length (1 to 5 alike)", "factor", 1,
            spread(shares), 0.05),
        given("section 3", "payload of the longest short message, 128 bytes a packet", "bytes", 640,
              lengths[-2] * PAYLOAD_BYTES),
        given("section 3", "long messages", "packets", 25, lengths[-1]),
        given("section 3", "payload of a long message, 128 bytes a packet", "bytes", 3200,
              lengths[-1] * PAYLOAD_BYTES),
        Row("section 3", "mean length, 10 % long", "packets", 5.2, short.mean_packets, 0.02),
        Row("section 3", "mean time between messages, 5.2 / u at u = 0.67", "packets of full load", 5.2 / 0.67, gap,
            0.02),
    ]  # fmt: skip
    for share, at, published in ((10, short, 48), (80, long, 97)):
        for kind, per_cent, measured in (
            ("long", published, at.long_packet_share),
            ("short", 100 - published, 100 - at.long_packet_share),
        ):
            what = f"packets of {kind} messages, {share} % long"
            rows.append(Row("figure 16", what, "%", per_cent, measured, ROUNDED / per_cent))
    return rows


def utilization(runs: Runs) -> list[Row]:
    """Figures 4 and 7."""
    rows = []
    for routing, (pe_port, internal) in UTILIZATIONS.items():
        at, name = runs[Point(routing)], NAMES[routing]
        rows += [
            Row("figure 4", f"PE port utilization, {name}, u = 0.67", "%", pe_port, at.pe_port, POINTS / pe_port),
            Row("figure 4", f"internal utilization, {name}, u = 0.67", "%", internal, at.internal, POINTS / internal),
            Row(
                "figure 4",
                f"internal utilization read as a link counted once, {name}, u = 0.67",
                "%",
                internal,
                at.internal_once,
                POINTS / internal,
                "the published figures are those of the waiting of both ends added",
            ),
            Row("figure 4", f"PE port without busy waiting, {name} (the ideal line)", "%", 67, 100 * at.pe_busy, 0.02),
        ]
    for share, figure, loads in (
        (SHORT, "figure 4", runs.extent.loads),
        (LONG, "figure 7", runs.extent.loads_long),
    ):
        at = {r: runs[Point(r, FIFO, share)] for r in ROUTINGS}
        descending, ascending = [DEROUTING, BEST, DETERMINISTIC], [DETERMINISTIC, BEST, DEROUTING]
        what = "internal utilization: deterministic < best paths < derouting, %"
        rows.append(order(figure, what, [at[r].internal for r in ascending]))
        what = "busy waiting of the PE port: derouting < best paths < deterministic, %"
        rows.append(order(figure, what, [100 * at[r].pe_waiting for r in descending]))
        for routing in (DETERMINISTIC, BEST):
            by_load = [100 * runs[Point(routing, FIFO, share, u)].pe_waiting for u in loads]
            rows.append(order(figure, f"busy waiting of the PE port grows with the load, {NAMES[routing]}, %", by_load))
        once = max(runs[Point(r, FIFO, share, u)].internal_once for r in ROUTINGS for u in loads)
        what = f"internal utilization, a link counted once, most of all loads and routings, {100 * share:.0f} % long"
        rows.append(Row(figure, what, "%", 100, once, 0.0, at_most=True, stated_kind=Kind.OWN))
        top = [runs[Point(r, FIFO, share, loads[-1])] for r in ascending]
        what = f"internal over PE port at u = {loads[-1]:g}: deterministic < best paths < derouting, points"
        rows.append(order(figure, what, [f.internal - f.pe_port for f in top]))
    for routing in (DETERMINISTIC, BEST):
        waiting = [100 * runs[Point(routing, FIFO, share)].pe_waiting for share in (SHORT, LONG)]
        what = f"busy waiting of the PE port, {NAMES[routing]}: 10 % long < 80 % long, %"
        rows.append(order("figure 7", what, waiting))
    eighty = runs[Point(DEROUTING, FIFO, LONG)]
    rows.append(order("figure 7", "derouting, 80 % long: PE port < internal, %", [eighty.pe_port, eighty.internal]))
    gap = [at.internal - at.pe_port for at in (runs[Point(DEROUTING)], eighty)]
    rows.append(order("figure 7", "internal over PE port, derouting: 10 % long < 80 % long, points", gap))
    big = runs[Point(DEROUTING, FIFO, SHORT, 0.25, large(runs.extent))]
    what = "on a large interconnect (E20, u = 0.25), derouting: PE port < internal, %"
    rows.append(order("section 3", what, [big.pe_port, big.internal]))
    return rows


def latency(runs: Runs) -> list[Row]:
    """Figures 2, 3, 5, 6."""
    rows = []
    for share, message, packet, loads in (
        (SHORT, "figure 2", "figure 3", runs.extent.loads),
        (LONG, "figure 5", "figure 6", runs.extent.loads_long),
    ):

        def at(routing: str, load: float = 0.67, share: float = share) -> Figures:
            return runs[Point(routing, FIFO, share, load)]

        descending, ascending = [DEROUTING, BEST, DETERMINISTIC], [DETERMINISTIC, BEST, DEROUTING]
        what = "message latency: derouting < best paths < deterministic"
        rows.append(order(message, what, [at(r).all for r in descending]))
        for u in (u for u in loads if u >= 0.67):
            what = f"packet latency, u = {u:g}: deterministic < best paths < derouting"
            points = [at(r, u) for r in ascending]
            rows.append(order_beyond_noise(packet, what, lambda f: f.packet, lambda f: f.packet_noise, points))
        what = "packets wait in the queue: derouting < best paths < deterministic, cycles"
        rows.append(order(message, what, [at(r).queue for r in descending]))
        what = "message latency: derouting < best paths < deterministic"
        busy = [u for u in loads if u >= 0.4]
        rows.append(
            at_every_load(
                message, what, busy, lambda u, at=at, descending=descending: [at(r, u).all for r in descending]
            )
        )
    return rows


def rows(runs: Runs) -> list[Row]:
    """Sections 2 and 3."""
    return node(runs) + workload(runs) + utilization(runs) + latency(runs)
