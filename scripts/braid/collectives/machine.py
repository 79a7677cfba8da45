"""Replays a trace: ranks compute and communicate over a network that is stepped cycle by cycle (docs/chakra.md).

A rank has an accelerator, a processor ("is_cpu_op") and a memory, each for one operation at a time, the lowest id
first of those whose predecessors are done; so many communications at once; and receives that wait beside them. Cycles
of an operation: [begin, begin + duration). What comes after begins in the cycle in which it ended.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from braid.collectives.algorithms import ALGORITHMS, planned
from braid.collectives.collective import Collective, Key
from braid.collectives.plan import Plan
from braid.collectives.trace import COLLECTIVES, Kind, Operation, dependencies
from braid.collectives.transfers import Transfers
from braid.errors import InputError
from braid.network import Network

RESOURCES = ACCELERATOR, PROCESSOR, MEMORY, COMMUNICATION = "accelerator", "processor", "memory", "communication"
NOTHING = ""


@dataclass
class Settings:
    """What the trace leaves open."""

    clock_ghz: float = 1.0
    flit_bytes: int = 16
    packet_flits: int = 16
    segments: int = 8
    """Of the data of a collective over a tree."""
    at_once: int = 1
    """Communications of a rank."""
    tflops: float | None = None
    """Of an accelerator: then operations with num_ops take the time of the roofline."""
    memory_gbps: float | None = None
    """GB/s; with it num_ops and tensor_size make the roofline."""
    algorithms: dict[str, str] = field(default_factory=dict)
    """Operation -> name; without one the first that there is."""
    groups: dict[str, list[int]] = field(default_factory=dict)
    """pg_name -> ranks."""
    nodes: list[int] = field(default_factory=list)
    """[rank] its node; empty: rank i at node i."""

    def cycles(self, micros: float) -> int:
        """Whole cycles, none lost."""
        return math.ceil(round(micros * self.clock_ghz * 1000, 6))


@dataclass
class Times:
    """Cycles of a rank: what it did in them."""

    computed: int = 0
    """And did not communicate."""
    both: int = 0
    exposed: int = 0
    """Communicated, and did not compute."""
    idle: int = 0

    @property
    def overlap(self) -> float:
        """The share of communication that computing hides."""
        return self.both / (self.both + self.exposed) if self.both + self.exposed else 0.0


class Rank:
    """One file of the trace."""

    def __init__(self, number: int, operations: Sequence[Operation], at_once: int) -> None:
        self.number = number
        self.operations = {operation.number: operation for operation in operations}
        self.waits, self.then = dependencies(self.operations)
        self.ready: dict[str, list[int]] = {name: [] for name in (*RESOURCES, NOTHING)}
        self.free = {ACCELERATOR: 1, PROCESSOR: 1, MEMORY: 1, COMMUNICATION: at_once}
        self.times = Times()
        self._computing = self._communicating = self._since = 0
        for number in self.operations:
            if not self.waits[number]:
                self.make_ready(number)

    def make_ready(self, number: int) -> None:
        """All before it are done."""
        heapq.heappush(self.ready[resource_of(self.operations[number])], number)

    def count(self, now: int, *, computing: int = 0, communicating: int = 0) -> None:
        """One more or less of either from now on."""
        passed, self._since = now - self._since, now
        if self._computing and self._communicating:
            self.times.both += passed
        elif self._computing:
            self.times.computed += passed
        elif self._communicating:
            self.times.exposed += passed
        else:
            self.times.idle += passed
        self._computing += computing
        self._communicating += communicating


def resource_of(operation: Operation) -> str:
    """What an operation needs to itself."""
    if operation.kind is Kind.COMPUTE:
        return PROCESSOR if operation.attributes.get("is_cpu_op") is True else ACCELERATOR
    if operation.kind in (Kind.MEMORY_LOAD, Kind.MEMORY_STORE):
        return MEMORY
    return COMMUNICATION if operation.kind in (Kind.SEND, Kind.COLLECTIVE) else NOTHING


class Machine:
    """Ranks on a network."""

    def __init__(self, trace: Sequence[Sequence[Operation]], network: Network, settings: Settings) -> None:
        """Raises InputError where trace, settings and network do not fit."""
        self.settings = settings
        self.network = network
        nodes = settings.nodes or list(range(len(trace)))
        if len(nodes) != len(trace):
            raise InputError(f"{len(nodes)} nodes for {len(trace)} ranks: expected one for each")
        self.transfers = Transfers(network, nodes, settings.flit_bytes, settings.packet_flits)
        self.ranks = [Rank(number, operations, settings.at_once) for number, operations in enumerate(trace)]
        self.collectives: list[Collective] = []
        self.operations = self.left = sum(len(operations) for operations in trace)  # all, and those that are not done
        self.without_time = 0  # operations that compute, and of which nobody says how long
        self._start = network.now
        self._events: list[tuple[int, int, Callable[[], None]]] = []  # cycle, order, what then
        self._order = 0
        self._sent: dict[tuple[int, int, int], int] = {}  # source, destination, tag -> arrived, and not received
        self._receives: dict[tuple[int, int, int], deque[Callable[[], None]]] = {}
        self._turn = [_turns(rank, self._group) for rank in self.ranks]
        self._under_way: dict[tuple[str, int], Collective] = {}
        self._plans: dict[tuple[Key, str, int], Plan] = {}

    @property
    def now(self) -> int:
        """Cycles since the begin."""
        return self.network.now - self._start

    def run(self, advance: Callable[[int], None] = lambda done: None) -> None:
        """To the end of the trace. advance: told how many operations are done. Raises InputError where ranks wait for
        one another for ever, DeadlockError where the network does."""
        self._start_what_is_ready()
        while self.left:
            if self.transfers.any_open:
                self.network.step()
            elif self._events:
                self.network.step(self._events[0][0] - self.now)
            else:
                raise InputError(self._stuck())
            anything = self.transfers.take_arrivals()
            while self._events and self._events[0][0] <= self.now:
                anything = True
                heapq.heappop(self._events)[2]()
            if anything:  # in most cycles flits move and no message ends
                self._start_what_is_ready()
                advance(self.operations - self.left)
        for rank in self.ranks:
            rank.count(self.now)
        advance(self.operations)

    def _stuck(self) -> str:
        for rank in self.ranks:
            for operation in rank.operations.values():
                if rank.waits[operation.number] == 0:
                    return f'{operation.place} ("{operation.name[:40]}"): waits for ever for other ranks'
        return "operations wait for one another"

    def _start_what_is_ready(self) -> None:
        """Until nothing more begins in this cycle."""
        again = True
        while again:
            again = False
            for rank in self.ranks:
                for resource, ready in rank.ready.items():
                    while ready and rank.free.get(resource, 1):
                        again = True
                        self._begin(rank, rank.operations[heapq.heappop(ready)], resource)

    def _begin(self, rank: Rank, operation: Operation, resource: str) -> None:
        if resource:
            rank.free[resource] -= 1
        computes = resource in (ACCELERATOR, PROCESSOR, MEMORY)
        communicates = resource == COMMUNICATION or operation.kind is Kind.RECEIVE
        rank.count(self.now, computing=int(computes), communicating=int(communicates))

        def done() -> None:
            rank.count(self.now, computing=-int(computes), communicating=-int(communicates))
            self._done(rank, operation, resource)

        if computes:
            self._after(self._cycles_of(operation), done)
        elif operation.kind is Kind.SEND:
            self._send(rank, operation, done)
        elif operation.kind is Kind.RECEIVE:
            self._receive(rank, operation, done)
        elif operation.kind is Kind.COLLECTIVE:
            self._collective(rank, operation, done)
        else:
            done()

    def _done(self, rank: Rank, operation: Operation, resource: str) -> None:
        if resource:
            rank.free[resource] += 1
        rank.waits[operation.number] = -1
        self.left -= 1
        for number in rank.then[operation.number]:
            rank.waits[number] -= 1
            if rank.waits[number] == 0:
                rank.make_ready(number)

    def _after(self, cycles: int, then: Callable[[], None]) -> None:
        if cycles == 0:
            then()
            return
        self._order += 1
        heapq.heappush(self._events, (self.now + cycles, self._order, then))

    def _cycles_of(self, operation: Operation) -> int:
        settings = self.settings
        operations, size = operation.attributes.get("num_ops"), operation.attributes.get("tensor_size")
        seconds = 0.0
        if settings.tflops and isinstance(operations, int) and resource_of(operation) == ACCELERATOR:
            seconds = operations / (settings.tflops * 1e12)
        if settings.memory_gbps and isinstance(size, int) and (seconds or resource_of(operation) == MEMORY):
            seconds = max(seconds, size / (settings.memory_gbps * 1e9))
        micros = seconds * 1e6 or float(operation.micros)
        self.without_time += micros == 0
        return settings.cycles(micros)

    def _send(self, rank: Rank, operation: Operation, done: Callable[[], None]) -> None:
        to, size, tag = operation.whole("comm_dst"), operation.whole("comm_size"), _tag_of(operation)
        if to >= len(self.ranks) or to == rank.number:
            raise InputError(f"{operation.place}: comm_dst = {to}: expected another rank, 0 to {len(self.ranks) - 1}")
        channel = (rank.number, to, tag)

        def arrived() -> None:
            waiting = self._receives.get(channel)
            if waiting:
                waiting.popleft()()
            else:
                self._sent[channel] = self._sent.get(channel, 0) + 1
            done()

        self.transfers.send(rank.number, to, size, arrived)

    def _receive(self, rank: Rank, operation: Operation, done: Callable[[], None]) -> None:
        channel = (operation.whole("comm_src"), rank.number, _tag_of(operation))
        if self._sent.get(channel):
            self._sent[channel] -= 1
            done()
        else:
            self._receives.setdefault(channel, deque()).append(done)

    def _group(self, operation: Operation) -> tuple[str, list[int]]:
        """Name and ranks of the group that a collective is of."""
        dimensions = operation.attributes.get("involved_dim")
        name = str(operation.attributes.get("pg_name", ""))
        if name in self.settings.groups:
            return name, self.settings.groups[name]
        if name:
            known = ", ".join(self.settings.groups) or "none"
            raise InputError(f'{operation.place}: group "{name[:40]}" (pg_name): expected one of --groups: {known}')
        if isinstance(dimensions, list) and not all(dimensions):
            raise InputError(f"{operation.place}: involved_dim leaves some out: expected pg_name and --groups")
        return "", list(range(len(self.ranks)))

    def _collective(self, rank: Rank, operation: Operation, done: Callable[[], None]) -> None:
        group, turn = self._turn[rank.number][operation.number]
        key = _key_of(operation)
        collective = self._under_way.get((group, turn))
        if collective is None:
            collective = self._new_collective(operation, key)
            self._under_way[group, turn] = collective

        def ended() -> None:
            collective.last_end = self.now
            done()

        collective.begin(rank.number, operation, key, self.transfers, ended)

    def _new_collective(self, operation: Operation, key: Key) -> Collective:
        ranks = self._group(operation)[1]
        like = "all_reduce" if key.operation == "barrier" else key.operation
        name = self.settings.algorithms.get(key.operation, next(iter(ALGORITHMS[like])))
        plan = self._plans.get((key, name, len(ranks)))
        if plan is None:
            plan = planned(like, name, len(ranks), key.size, self.settings.segments)
            self._plans[key, name, len(ranks)] = plan
        collective = Collective(operation.name, key, name, ranks, plan, self.now)
        self.collectives.append(collective)
        return collective


def _key_of(operation: Operation) -> Key:
    number = operation.whole("comm_type")
    if number not in COLLECTIVES:
        known = ", ".join(f"{n} {name}" for n, name in COLLECTIVES.items())
        raise InputError(f"{operation.place}: comm_type {number}: expected one of {known}")
    name = COLLECTIVES[number]
    return Key(name, 0 if name == "barrier" else operation.whole("comm_size"))


def _tag_of(operation: Operation) -> int:
    tag = operation.attributes.get("comm_tag", 0)
    return tag if isinstance(tag, int) else 0


def _turns(rank: Rank, group_of: Callable[[Operation], tuple[str, list[int]]]) -> dict[int, tuple[str, int]]:
    """[id] of each collective: its group, and the how many-th of the group it is by ids. All ranks of a group count
    alike, in whatever order they come to them."""
    counts: dict[str, int] = {}
    turns = {}
    for number, operation in rank.operations.items():
        if operation.kind is not Kind.COLLECTIVE:
            continue
        name, ranks = group_of(operation)
        if rank.number not in ranks:
            raise InputError(f'{operation.place}: rank {rank.number} is not of group "{name}"')
        turns[number] = name, counts.get(name, 0)
        counts[name] = counts.get(name, 0) + 1
    return turns
