"""Set-up of all streams at once on a mesh, written from docs/setup.md ("All streams at once") alone: a calendar of
messages, and a dictionary for each router."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

Place = tuple[int, int]  # router, port
RIP_UP, RIPPED_UP, ACKNOWLEDGE, BACKTRACK, PROBE = range(5)  # who goes first
EAST, WEST, NORTH, SOUTH = range(4)
OPPOSITE = {EAST: WEST, WEST: EAST, NORTH: SOUTH, SOUTH: NORTH}
MASK = (1 << 64) - 1


def mixed(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class Draws:
    """splitmix64 of the seed and the component's name, as routing/base/random.h says."""

    GAMMA = 0x9E3779B97F4A7C15

    def __init__(self, seed: int, name: str) -> None:
        text = 0xCBF29CE484222325
        for byte in name.encode():
            text = (text ^ byte) * 0x100000001B3 & MASK
        self.state = mixed((seed ^ text) + self.GAMMA & MASK)

    def below(self, bound: int) -> int:
        self.state = self.state + self.GAMMA & MASK
        return mixed(self.state) * bound >> 64


@dataclass
class Mesh:
    width: int
    height: int
    local_ports: int
    lanes: int = 1  # of a local port

    def neighbours(self, router: int) -> dict[int, int]:
        x, y = router % self.width, router // self.width
        all_four = {EAST: (x + 1, y), WEST: (x - 1, y), NORTH: (x, y + 1), SOUTH: (x, y - 1)}
        return {
            port: i + self.width * j
            for port, (i, j) in all_four.items()
            if 0 <= i < self.width and 0 <= j < self.height
        }

    def distance(self, a: int, b: int) -> int:
        return abs(a % self.width - b % self.width) + abs(a // self.width - b // self.width)

    def local_lanes(self) -> list[tuple[int, int]]:
        """Port and lane, in the order in which circuits take them."""
        return [(4 + port, lane) for lane in range(self.lanes) for port in range(self.local_ports)]


@dataclass
class Visit:
    """A router's entry for a stream."""

    attempt: int
    came_by: tuple[int, int]  # port and lane
    tried: set[int] = field(default_factory=set)
    holds: tuple[int, int] | None = None
    stands: bool = False
    rip_up_is_out: bool = False


@dataclass
class Message:
    kind: int
    stream: int
    attempt: int
    port: tuple[int, int]
    inside: bool = False  # a probe that waits for a link


class Order:
    """One order of the streams, from its first cycle on."""

    def __init__(self, mesh: Mesh, streams: list[tuple[int, int]], order: list[int]) -> None:
        self.mesh, self.streams, self.order = mesh, streams, order
        self.age = {s: i for i, s in enumerate(order)}
        self.visits: dict[tuple[int, int], Visit] = {}  # router, stream
        self.holder: dict[tuple[int, int, int], int] = {}  # router, port, lane
        self.calendar: dict[int, list[tuple[int, Message]]] = defaultdict(list)
        self.waiting: dict[int, list[Message]] = defaultdict(list)
        self.attempt = dict.fromkeys(order, 0)
        self.state = dict.fromkeys(order, "idle")
        self.ready: dict[int, int] = {}
        self.dead_ends = dict.fromkeys(order, 0)
        self.knew = dict.fromkeys(order, 0)
        self.lane: dict[int, tuple[int, int] | None] = {}
        free = {node: mesh.local_lanes() for node in range(mesh.width * mesh.height)}
        for s in order:
            lanes = free[streams[s][0]]
            self.lane[s] = lanes.pop(0) if lanes else None
        distances = [mesh.distance(0, r) for r in range(mesh.width * mesh.height)]
        self.agreement = 2 * max(distances) * 2
        self.leaves: list[int] = []  # [cycle] of the oldest streams so many have finished
        self.failed: tuple[int, int] | None = None  # cycle, stream
        self.tearing_down = False
        self.counts = dict.fromkeys(("searches", "backtracks", "rip_ups", "waits"), 0)

    def run(self) -> tuple[bool, int]:
        """Whether it stood, and the cycles until all sources know."""
        for s in self.order:
            self.begin(0, s)
        self.leaves.append(0)
        cycle = 0
        while True:
            cycle += 1
            self.units(cycle)
            self.leaves.append(self.finished())
            if self.failed is not None and cycle == self.failed[0] + self.agreement:
                break
            if self.known(cycle) == len(self.order):
                return True, cycle
            for s in self.order:
                if self.state[s] == "came back" and self.known(cycle) > self.knew[s]:
                    self.begin(cycle, s)
        self.tearing_down = True
        for s in self.order:
            if self.state[s] == "came back":
                self.state[s] = "idle"
            else:
                self.post(cycle + 1, self.streams[s][0], Message(RIP_UP, s, self.attempt[s], self.lane[s]))
        while any(self.calendar.values()) or any(self.waiting.values()):
            cycle += 1
            self.units(cycle)
        assert all(state == "idle" for state in self.state.values())
        assert not self.holder
        return False, cycle + self.agreement

    def known(self, cycle: int) -> int:
        return self.leaves[cycle - self.agreement] if cycle >= self.agreement else 0

    def finished(self) -> int:
        ripped = {m.stream for _, m in self.all_messages() if m.kind in (RIP_UP, RIPPED_UP)}
        for count, s in enumerate(self.order):
            if self.state[s] != "found" or s in ripped:
                return count
        return len(self.order)

    def all_messages(self) -> list[tuple[int, Message]]:
        on_channels = [entry for entries in self.calendar.values() for entry in entries]
        return on_channels + [(r, m) for r, messages in self.waiting.items() for m in messages]

    def begin(self, cycle: int, s: int) -> None:
        self.knew[s] = self.known(cycle)
        if self.lane[s] is None:
            return self.came_back(cycle, s)
        self.attempt[s] += 1
        self.counts["searches"] += 1
        self.state[s] = "searching"
        self.post(cycle + 1, self.streams[s][0], Message(PROBE, s, self.attempt[s], self.lane[s]))

    def came_back(self, cycle: int, s: int) -> None:
        self.state[s] = "came back"
        if self.knew[s] == self.age[s] and self.failed is None:
            self.failed = (cycle, s)

    def post(self, cycle: int, router: int, message: Message) -> None:
        self.calendar[cycle].append((router, message))

    def units(self, cycle: int) -> None:
        for router, message in self.calendar.pop(cycle, []):
            self.waiting[router].append(message)
        for router in range(self.mesh.width * self.mesh.height):
            able = [m for m in self.waiting[router] if not (m.inside and self.wish(router, m.stream)[0] == "wait")]
            if not able:
                continue
            message = min(able, key=lambda m: (m.kind, self.age[m.stream], m.port))
            self.waiting[router].remove(message)
            self.take(cycle, router, message)

    def take(self, cycle: int, router: int, m: Message) -> None:
        visit = self.visits.get((router, m.stream))
        here = visit is not None and visit.attempt == m.attempt
        if m.kind == PROBE:
            if not m.inside:
                if here:
                    return self.send(cycle, router, m.port, BACKTRACK, m)
                assert visit is None or visit.holds is None
                self.visits[router, m.stream] = Visit(m.attempt, m.port)
            return self.step(cycle, router, m)
        if m.kind == BACKTRACK:
            if here and visit.holds == m.port:
                self.counts["backtracks"] += 1
                self.dead_ends[m.stream] += 1
                self.give_back(router, m.stream)
                self.step(cycle, router, m)
        elif m.kind == ACKNOWLEDGE:
            if here and visit.holds == m.port:
                visit.stands = True
                self.send(cycle, router, visit.came_by, ACKNOWLEDGE, m)
        elif m.kind == RIP_UP:
            if not (here and visit.came_by == m.port):
                self.forget_probe(router, m, inside=False)
                self.send(cycle, router, m.port, RIPPED_UP, m)
            elif visit.holds is not None:
                self.rip_up(cycle, router, m.stream)
            elif not visit.rip_up_is_out:
                self.forget_probe(router, m, inside=True)
                self.send(cycle, router, visit.came_by, RIPPED_UP, m)
        elif here and (visit.rip_up_is_out or visit.holds == m.port):
            if visit.holds is not None:
                self.give_back(router, m.stream)
            visit.rip_up_is_out = False
            self.send(cycle, router, visit.came_by, RIPPED_UP, m)

    def forget_probe(self, router: int, m: Message, inside: bool) -> None:
        self.waiting[router] = [
            w
            for w in self.waiting[router]
            if not (
                w.kind == PROBE and (w.stream, w.attempt, w.port, w.inside) == (m.stream, m.attempt, m.port, inside)
            )
        ]

    def step(self, cycle: int, router: int, m: Message) -> None:
        visit = self.visits[router, m.stream]
        what, where = self.wish(router, m.stream)
        if what == "take":
            visit.holds = where
            self.holder[router, *where] = m.stream
            if where[0] >= 4:
                visit.stands = True
                self.send(cycle, router, visit.came_by, ACKNOWLEDGE, m)
            else:
                visit.tried.add(where[0])
                self.send(cycle, router, where, PROBE, m)
        elif what == "none":
            self.send(cycle, router, visit.came_by, BACKTRACK, m)
        else:
            self.counts["rip_ups" if what == "rip up" else "waits"] += 1
            if what == "rip up":
                self.rip_up(cycle, router, self.holder[router, *where])
            self.waiting[router].append(Message(PROBE, m.stream, m.attempt, visit.came_by, inside=True))

    def wish(self, router: int, s: int) -> tuple[str, Any]:
        visit, end = self.visits[router, s], self.streams[s][1]
        if router == end:
            younger = []
            for where in self.mesh.local_lanes():
                holder = self.holder.get((router, *where))
                if holder is None:
                    return "take", where
                if self.age[holder] > self.age[s]:
                    younger.append((self.age[holder], where))
            return ("rip up", max(younger)[1]) if younger else ("none", None)
        beyond = self.mesh.neighbours(router)
        nearer = [p for p in sorted(beyond) if self.mesh.distance(beyond[p], end) < self.mesh.distance(router, end)]
        for port in nearer + [p for p in sorted(beyond) if p not in nearer]:
            where = (port, 0)
            if port in visit.tried or where == visit.came_by:
                continue
            holder = self.holder.get((router, *where))
            if holder is None:
                return "take", where
            if self.age[holder] > self.age[s]:
                return "rip up", where
            if not self.visits[router, holder].stands:
                return "wait", where
        return "none", None

    def rip_up(self, cycle: int, router: int, s: int) -> None:
        visit = self.visits[router, s]
        where = visit.holds
        message = Message(RIP_UP, s, visit.attempt, where)
        self.give_back(router, s)
        if where[0] >= 4:
            self.send(cycle, router, visit.came_by, RIPPED_UP, message)
        else:
            visit.rip_up_is_out = True
            self.send(cycle, router, where, RIP_UP, message)

    def give_back(self, router: int, s: int) -> None:
        visit = self.visits[router, s]
        del self.holder[router, *visit.holds]
        visit.holds, visit.stands = None, False

    def send(self, cycle: int, router: int, by: tuple[int, int], kind: int, m: Message) -> None:
        port = by[0]
        if port < 4:
            beyond = self.mesh.neighbours(router)[port]
            return self.post(cycle + 2, beyond, Message(kind, m.stream, m.attempt, (OPPOSITE[port], 0)))
        if kind == ACKNOWLEDGE:
            assert not self.tearing_down
            self.state[m.stream] = "found"
            self.ready[m.stream] = cycle
        elif kind == BACKTRACK:
            assert not self.tearing_down
            self.came_back(cycle, m.stream)
        elif self.tearing_down:
            self.state[m.stream] = "idle"
        else:
            self.begin(cycle, m.stream)

    def path(self, s: int) -> list[int]:
        router, routers = self.streams[s][0], [self.streams[s][0]]
        while (port := self.visits[router, s].holds[0]) < 4:
            router = self.mesh.neighbours(router)[port]
            routers.append(router)
        return routers


def set_up(mesh: Mesh, streams: list[tuple[int, int]], seed: int, retries: int) -> dict[str, Any]:
    """Streams from node to node, in the order of the program's edges; what `braid paths` says of their set-up."""
    order = sorted(range(len(streams)), key=lambda s: (streams[s][0], s))
    draws = Draws(seed, "setup.order")
    total, counts = 0, dict.fromkeys(("searches", "backtracks", "rip_ups", "waits"), 0)
    for tried in range(1, retries + 2):
        one = Order(mesh, streams, list(order))
        stood, cycles = one.run()
        total += cycles
        counts = {name: count + one.counts[name] for name, count in counts.items()}
        if stood or tried > retries:
            break
        for i in range(len(order), 1, -1):
            j = draws.below(i)
            order[i - 1], order[j] = order[j], order[i - 1]
    circuits = {s: (one.path(s), one.ready[s], one.dead_ends[s]) for s in one.order} if stood else {}
    failed = None if stood else one.failed[1]
    return {"stood": stood, "orders": tried, "total": total, "counts": counts, "circuits": circuits, "failed": failed}
