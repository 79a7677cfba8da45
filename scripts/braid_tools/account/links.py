"""Figures of links and routers: from the paths in a packet log where the times in it say all, else between bounds that
it gives, else from a waveform."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from braid_tools.account.log import NEVER, Log, Window
from braid_tools.account.network import Circuit, Network
from braid_tools.vcd import read_vcd

Tree = dict[str, Any]


@dataclass(frozen=True)
class Between:
    """A figure of which the log gives bounds only."""

    low: Fraction | int
    high: Fraction | int


@lru_cache(maxsize=2)  # accounts of one run with other results follow each other in tests
def arrays(file: Path, kept: tuple[str, ...], stamp: tuple[int, int]) -> dict[str, np.ndarray]:
    """The signals of a waveform as it was written: `stamp` is its time and size. For all to read."""
    del stamp
    signals = {name: np.array(values) for name, values in read_vcd(file, kept).items()}
    for values in signals.values():
        values.flags.writeable = False
    return signals


class Waves:
    """A waveform as arrays; column 0 is cycle `first`."""

    def __init__(self, file: Path, kept: tuple[str, ...]):
        status = file.stat()
        self.signals = dict(arrays(file, (*kept, "cycle"), (status.st_mtime_ns, status.st_size)))
        cycle = self.signals.pop("network.cycle")
        self.first, self.last = int(cycle[0]), int(cycle[-1])

    def over(self, name: str, begin: int, end: int) -> np.ndarray:
        """A signal's values in cycles begin to end - 1."""
        if begin < self.first or end - 1 > self.last:
            raise ValueError(f"the waveform holds cycles {self.first} to {self.last}, not {begin} to {end - 1}")
        return self.signals[name][begin - self.first : end - self.first]


def counted(waves: Waves, name: str) -> list[int]:
    """The cycles in which a counter of eight bits went on, one an event."""
    values = waves.signals[name]
    steps = np.diff(values, prepend=0) % 256
    return np.repeat(np.arange(len(values)) + waves.first, steps).tolist()


def scope(router: str) -> str:
    """A router's name in a waveform."""
    return "router_" + plain(router)


def plain(name: str) -> str:
    """A name as waveforms write it."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def links(
    log: Log,
    window: Window,
    network: Network,
    configuration: Tree,
    circuits: dict[int, Circuit],
    wave: Path | None,
    end: int,
) -> list[Tree]:
    """Flits over every link while measuring."""
    architecture = configuration["router"]["architecture"]
    packets: dict[tuple[int, int], Any] = {}
    on_circuits: dict[tuple[int, int], Any] = {}
    if configuration["router"]["architecture"] == "ideal":
        pass
    elif architecture == "po2":
        packets = po2_crossings(log, window, network, configuration, end)
        if configuration["po2"]["error_rate"] > 0:
            packets = po2_sendings(window, network, configuration["message"]["packet_flits"], wave)
    elif architecture == "virtual_cut_through":
        if wave is None:
            packets = cut_through_bounds(log, window, network, configuration["topology"]["link_latency_cycles"])
        else:
            packets = cut_through_crossings(log, window, network, wave)
    elif wave is not None:
        packets, on_circuits = hybrid_crossings(window, network, configuration["topology"]["link_latency_cycles"], wave)
    else:
        packets = hybrid_bounds(log, window, network)
        on_circuits = circuit_bounds(log, window, circuits)
    return [
        {
            "router": network.routers[router],
            "port": network.ports[router][port],
            "to": network.routers[network.far[router, port][0]],
            "packet_flits_per_cycle": per_cycle(packets.get((router, port), 0), window),
            "circuit_flits_per_cycle": per_cycle(on_circuits.get((router, port), 0), window),
        }
        for router, port in network.links()
    ]


def node_links(classes: list[Tree], network: Network) -> list[Tree]:
    """Over injection and ejection links, of what the classes count by node."""
    rows = []
    for node, (router, ports) in enumerate(zip(network.node_router, network.node_ports, strict=True)):
        into = sum((c["injected_flits_per_cycle_by_node"][node] for c in classes), Fraction(0))
        out = sum((c["delivered_flits_per_cycle_by_node"][node] for c in classes), Fraction(0))
        rows.append(
            {
                "node": node,
                "router": network.routers[router],
                "ports": len(ports),
                "injected_flits_per_cycle": into / len(ports),
                "ejected_flits_per_cycle": out / len(ports),
            }
        )
    return rows


def per_cycle(flits: Any, window: Window) -> Any:
    """Flits over the cycles of the window; bounds stay bounds."""
    if isinstance(flits, tuple) and flits[0] == flits[1]:
        flits = flits[0]
    if isinstance(flits, tuple):
        return Between(Fraction(flits[0], window.cycles), Fraction(flits[1], window.cycles))
    return Fraction(flits, window.cycles)


def steps(log: Log, network: Network) -> list[tuple[int, tuple[int, int], int, int]]:
    """Every link that a head has passed: packet, output port, cycle in which it was routed before and after it."""
    back = {there: here for here, there in network.far.items()}
    return [
        (packet, back[after[0], after[1]], before[2], after[2])
        for packet, path in enumerate(log.paths)
        for before, after in pairwise(path)
        if before[0] != after[0]  # else it rested in an in-transit buffer
    ]


def po2_crossings(
    log: Log, window: Window, network: Network, configuration: Tree, end: int
) -> dict[tuple[int, int], Any]:
    """A packet counts when it begins to cross; `header_cycles` later it is routed at the far end, if the run goes on so
    long."""
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    header = configuration["po2"]["header_cycles"]
    for packet, link, _, routed in steps(log, network):
        if window.begin <= routed - header < window.end:
            add(counts, link, int(log.flits[packet]), int(log.flits[packet]))
    if end - window.end < header:
        last_links(log, window, network, counts)
    return counts


def po2_sendings(window: Window, network: Network, flits: int, wave: Path | None) -> dict[tuple[int, int], Any]:
    """What is damaged is sent again, which only the ports show. Packets are of one length."""
    if wave is None or not flits:
        raise ValueError("what links damage needs a waveform and message.packet_flits")
    waves = Waves(wave, ("use",))
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    for router, port in network.links():
        use = f"{scope(network.routers[router])}.{plain(network.ports[router][port])}.use"
        sending = waves.over(use, window.begin, window.end) == 1
        began = sending & (waves.over(use, window.begin - 1, window.end - 1) != 1)
        add(counts, (router, port), int(began.sum()) * flits, int(began.sum()) * flits)
    return counts


def po2_flit_hops(log: Log, whole: Window, network: Network, flits: int, wave: Path | None) -> tuple[int, int]:
    """Flits over links, damaged ones too, and out to nodes: what was delivered, or at most what was routed there."""
    sent = sum(low for low, _ in po2_sendings(whole, network, flits, wave).values())
    here = [
        bool(path) and path[-1][0] == network.node_router[int(log.destination[packet])]
        for packet, path in enumerate(log.paths)
    ]
    return sent + int(log.flits[log.delivered != NEVER].sum()), sent + int(log.flits[np.array(here)].sum())


def cut_through_crossings(log: Log, window: Window, network: Network, wave: Path) -> dict[tuple[int, int], Any]:
    """A packet counts as a whole when its head begins to leave a queue, which the waveform shows."""
    waves = Waves(wave, ("head_source", "head_sequence", "packets", "leaving", "busy"))
    left: dict[tuple[int, int, int], int] = {}  # router, source, sequence -> cycle
    for router, names in enumerate(network.ports):
        for port, name in enumerate(names):
            if not network.has_port(router, port):
                continue
            end = f"{scope(network.routers[router])}.{plain(name)}"
            leaving, source, sequence, packets = (
                waves.signals[f"{end}.{signal}"] for signal in ("leaving", "head_source", "head_sequence", "packets")
            )
            head = source.astype(np.int64) << 32 | sequence
            head[packets == 0] = -1
            for cycle in (
                np.flatnonzero((head[1:] != head[:-1]) & (head[:-1] >= 0)) + 1
            ):  # gone: one flit, or seen below
                left[router, int(head[cycle - 1] >> 32), int(head[cycle - 1] & 0xFFFFFFFF)] = int(cycle) + waves.first
            fresh = np.ones(len(leaving), dtype=bool)
            fresh[1:] = (leaving[:-1] == 0) | (source[1:] != source[:-1]) | (sequence[1:] != sequence[:-1])
            for cycle in np.flatnonzero((leaving != 0) & fresh):
                left[router, int(source[cycle]), int(sequence[cycle])] = int(cycle) + waves.first
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    known = set()
    for packet, link, _, _ in steps(log, network):
        cycle = left[link[0], int(log.source[packet]), int(log.sequence[packet])]
        known.add((link, cycle))
        if window.begin <= cycle < window.end:
            add(counts, link, int(log.flits[packet]), int(log.flits[packet]))
    for packet in np.flatnonzero(
        log.delivered == NEVER
    ):  # its last step is not in its path, but some output turned busy
        router = log.paths[packet][-1][0] if log.paths[packet] else NEVER
        cycle = left.get((router, int(log.source[packet]), int(log.sequence[packet])), NEVER)
        if not window.begin <= cycle < window.end:
            continue
        taken = []
        for port, name in enumerate(network.ports[router]):
            wire = f"{scope(network.routers[router])}.{plain(name)}.busy"
            rises = wire in waves.signals and waves.over(wire, cycle - 1, cycle + 1).tolist() == [0, 1]
            if rises and ((router, port), cycle) not in known:
                taken.append((router, port))
        if not taken:  # a packet of one flit keeps no output busy
            taken = [link for link in network.links() if link[0] == router and (link, cycle) not in known]
            for link in taken:
                add(counts, link, 0, int(log.flits[packet]))
            continue
        for link in taken:
            add(counts, link, int(log.flits[packet]) if len(taken) == 1 else 0, int(log.flits[packet]))
    return counts


def cut_through_bounds(log: Log, window: Window, network: Network, latency: int) -> dict[tuple[int, int], Any]:
    """It leaves a queue in the cycle after it was routed there at the earliest, and is routed in the next queue after
    the link's cycles, that cycle included, at the earliest; packets over a link do so one after the other."""
    over: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for packet, link, before, after in steps(log, network):
        over.setdefault(link, []).append((after - latency + 1, before + 1, int(log.flits[packet])))
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    for link, crossings in over.items():
        crossings.sort()
        firsts, lasts = [], []
        first = last = None
        for _, before, flits in crossings:
            firsts.append(before if first is None else max(before, first))
            first = firsts[-1] + flits
        for after, _, flits in reversed(crossings):
            lasts.append(after if last is None else min(after, last - flits))
            last = lasts[-1]
        for (_, _, flits), first, last in zip(crossings, firsts, reversed(lasts), strict=True):
            surely = window.begin <= first and last < window.end
            possibly = first < window.end and window.begin <= last
            add(counts, link, flits if surely else 0, flits if possibly else 0)
    last_links(log, window, network, counts)
    return counts


def add(counts: dict[tuple[int, int], tuple[int, int]], link: tuple[int, int], low: int, high: int) -> None:
    """More flits surely, and more possibly, over a link."""
    before = counts.get(link, (0, 0))
    counts[link] = (before[0] + low, before[1] + high)


def last_links(log: Log, window: Window, network: Network, counts: dict[tuple[int, int], tuple[int, int]]) -> None:
    """A packet that was not delivered may be over any link of the last router in which it was routed."""
    for packet in np.flatnonzero(log.delivered == NEVER):
        if log.paths[packet] and log.paths[packet][-1][2] < window.end:
            router, _, _ = log.paths[packet][-1]
            for link in network.links():
                if link[0] == router and router != network.goal_of(int(log.destination[packet])):
                    add(counts, link, 0, int(log.flits[packet]))


def hybrid_crossings(window: Window, network: Network, latency: int, wave: Path) -> tuple[dict, dict]:
    """From the links' own wires. A flit counts in its first cycle on the link, and is seen in its last."""
    waves = Waves(wave, ("link_valid", "link_circuit"))
    packets, on_circuits = {}, {}
    for link, (router, port) in network.far.items():
        end = f"{scope(network.routers[router])}.{network.ports[router][port]}"
        wire = network.slow.get(link, latency)
        begin, stop = window.begin + wire - 1, min(window.end + wire - 1, waves.last + 1)
        unseen = window.end + wire - 1 - stop  # the run ends while flits are on their way
        valid = waves.over(f"{end}.link_valid", begin, stop)
        circuit = waves.over(f"{end}.link_circuit", begin, stop)
        seen = int((valid & ~circuit & 1).sum()), int((valid & circuit).sum())
        packets[link], on_circuits[link] = ((flits, flits + unseen) for flits in seen)
    return packets, on_circuits


def hybrid_bounds(log: Log, window: Window, network: Network) -> dict[tuple[int, int], Any]:
    """A packet's flits cross a link after its head was routed before it, and before its tail is delivered; the head
    crosses before it is routed after the link."""
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    for packet, link, before, after in steps(log, network):
        flits, delivered = int(log.flits[packet]), int(log.delivered[packet])
        if delivered == NEVER:
            delivered = window.end  # or later, or never
        first, head, tail = before + 1, after - 1, delivered - 1
        surely = 0
        if window.begin <= first:
            surely = flits if tail < window.end - 1 else int(head < window.end)
        add(counts, link, surely, flits if first < window.end and window.begin <= tail else 0)
    last_links(log, window, network, counts)
    return counts


def circuit_bounds(log: Log, window: Window, circuits: dict[int, Circuit]) -> dict[tuple[int, int], tuple[int, int]]:
    """A circuit's flits cross its links after they were injected and before they are delivered."""
    bounds = {}
    for number, circuit in circuits.items():
        mine = (log.kind == "circuit") & (log.stream == number) & (log.injected != NEVER)
        began, ended = log.injected[mine], log.delivered[mine]
        flits = log.flits[mine]
        possible = (began < window.end) & ((ended == NEVER) | (ended >= window.begin))
        surely = (began >= window.begin) & (ended != NEVER) & (ended < window.end)
        for link in circuit.path[:-1]:
            bounds[link] = (int(flits[surely].sum()), int(flits[possible].sum()))
    return bounds
