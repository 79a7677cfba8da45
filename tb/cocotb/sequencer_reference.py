"""What hw/setup_sequencer.sv has to do, cycle by cycle, written from its comments and from docs/tentacle.md alone."""

from __future__ import annotations

from dataclasses import dataclass, field

DONE, PASSES, SEARCHES, TEARS_DOWN = range(4)  # setup_phase_e
PROBE, ACKNOWLEDGE, TEAR_DOWN = 0, 2, 3  # control_kind_e


@dataclass
class Request:
    """Of a search or a tear-down; an acknowledgement of number 0: to all, that they forget searches they have seen."""

    kind: int
    stream: int
    node: int
    lane: int
    search: int
    destination: int


@dataclass
class Draws:
    """Permutations at random: a place is drawn in a cycle, or the number was too high."""

    bits: int
    state: int = 0xACE1
    left: int = 0

    def step(self, order: list[int]) -> None:
        """A cycle."""
        if self.left <= 1:
            return
        drawn, place = self.state & (2**self.bits - 1), self.left - 1
        taps = (self.state >> 15) ^ (self.state >> 13) ^ (self.state >> 12) ^ (self.state >> 10)
        self.state = (self.state << 1 | (taps & 1)) & 0xFFFF
        if drawn <= place:
            order[place], order[drawn] = order[drawn], order[place]
            self.left -= 1


@dataclass
class Sequencer:
    """Registers, and step() for a cycle."""

    sources: list[int]
    destinations: list[int]
    lanes: int
    retries: int
    token_cycles: int
    draws: Draws
    searches: int  # numbers of searches
    phase: int = PASSES
    orders: int = 1
    wait: int = 0
    search: int = 0
    asked: Request | None = None  # not taken yet
    standing: list[tuple[int, int]] = field(default_factory=list)  # stream, lane
    success: bool = False

    def __post_init__(self) -> None:
        """The first order is that of the table."""
        self.order = list(range(len(self.sources)))

    def started(self, node: int) -> int:
        """Circuits that start at a node."""
        return sum(self.sources[stream] == node for stream, _ in self.standing)

    def request(self, kind: int, stream: int, lane: int) -> Request:
        """For that circuit."""
        return Request(kind, stream, self.sources[stream], lane, self.search, self.destinations[stream])

    def step(self, *, ready: bool, outcome: bool | None) -> Request | None:
        """The request of this cycle; `outcome`: a search or tear-down has ended, with success or without."""
        request = self.asked
        if request is None:
            request = self.act(outcome)
        self.asked = None if ready else request
        return request

    def act(self, outcome: bool | None) -> Request | None:
        """Without a request that stands."""
        shuffled = self.draws.left <= 1
        self.draws.step(self.order)
        waits, self.wait = self.wait > 0, max(0, self.wait - 1)
        if self.phase == PASSES and shuffled and not waits:
            return self.next_search()
        if self.phase == SEARCHES and outcome is not None:
            if not outcome:
                return self.give_up()
            stream = self.order[len(self.standing)]
            self.standing.append((stream, self.started(self.sources[stream])))
            self.pass_token()
        elif self.phase == TEARS_DOWN and outcome is not None:
            return self.give_up()
        return None

    def pass_token(self) -> None:
        """To the next circuit's source."""
        self.phase, self.wait = PASSES, self.token_cycles - 1

    def next_search(self) -> Request | None:
        """The next one of the order, if any is left."""
        if len(self.standing) == len(self.order):
            self.phase, self.success = DONE, True
            return None
        stream = self.order[len(self.standing)]
        lane = self.started(self.sources[stream])
        if lane == self.lanes:
            return self.give_up()
        if self.search == self.searches:
            self.search = 0
            return Request(ACKNOWLEDGE, 0, 0, 0, 0, 0)
        self.phase = SEARCHES
        self.search += 1
        return self.request(PROBE, stream, lane)

    def give_up(self) -> Request | None:
        """Tears the last circuit down; without any, the next order."""
        if self.standing:
            self.phase = TEARS_DOWN
            stream, lane = self.standing.pop()
            return self.request(TEAR_DOWN, stream, lane)
        if self.orders > self.retries:
            self.phase = DONE
            return None
        self.orders += 1
        self.draws.left = len(self.order)
        self.pass_token()
        return None
