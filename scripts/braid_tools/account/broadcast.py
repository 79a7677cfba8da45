"""Figures of broadcasts, computed from a packet log: what the root's processor makes of the messages that reach it
(docs/diamond-rings.md).
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from braid_tools.account.broadcast_parts import Part, along_links, heard_by, longest_path, parts_of
from braid_tools.account.figures import Tree, distribution, rate
from braid_tools.account.log import NEVER, Log, Window
from braid_tools.account.network import Network

TIMEOUT, ROOM, OWN, ARRIVAL = range(4)  # parts of a cycle
REFUSALS = 10  # that are kept
Span = tuple[int, int]  # begin, end


@dataclass
class Waiting:
    """A task in a queue. A message has a sender; a start waits until the root's own messages are out."""

    carry_out: Callable[[int], int]  # from the cycle of its begin to that of its end
    sender: int | None = None
    broadcast: int = 0
    is_start: bool = False


class Root:
    """The root's processor over a whole run: one queue of tasks, first come first served, or messages and its own tasks
    apart. Arrivals of messages, and of room for them, come from the log; the rest follows from the costs."""

    def __init__(self, options: Tree, parts: list[Part]):
        self.cost = {key[:-7]: value for key, value in options.items() if key.endswith("_cycles")}
        self.cost["order"] *= options["sequenced"]
        self.options, self.told, self.hears = options, parts[0].at_once, heard_by(parts)[0]
        self.messages: deque[Waiting] = deque()
        self.own: deque[Waiting] = deque()  # apart from the messages; else its tasks are among them
        self.room = dict.fromkeys(self.told, options["buffer_messages"])
        self.unsent: dict[int, deque[int]] = {to: deque() for to in self.told}
        self.kept: list[tuple[int, int]] = []  # of a sequenced ring, put aside: broadcast, sender
        self.unhandled = 0  # all below have been handled
        self.rooms: list[tuple[int, int, int]] = []  # told of: broadcast, to whom, cycle
        self.agenda: list[tuple[int, int, int, int, Callable[[], None]]] = []
        self.count = itertools.count()  # what is due together happens in the order of its asking
        self.now = self.free = self.next = self.to_begin = self.unfinished = 0
        self.burst_begin, self.whole = 0, True
        self.open: dict[int, list[int]] = {}  # by broadcast: from whom it was heard
        self.handled: set[int] = set()
        self.begun: dict[int, int] = {}
        self.sent: list[tuple[int, int, int]] = []  # broadcast, to whom, cycle
        self.completed: list[Span] = []
        self.bursts: list[Span] = []
        self.given_up: dict[int, list[int]] = {}
        self.refused: list[str] = []

    def run(self, arrivals: Iterable[tuple[int, int, int]], rooms: Iterable[tuple[int, int]], end: int) -> Root:
        """`arrivals`: cycle of delivery, from whom, broadcast. `rooms`: cycle of delivery, from whom."""
        self.at(1, self.begin_burst)
        for cycle, sender, broadcast in arrivals:
            message = Waiting(partial(self.hear, broadcast, sender), sender, broadcast)
            self.at(cycle + 1, partial(self.messages.append, message), ARRIVAL, sender)
        for cycle, sender in rooms:
            self.at(cycle + 1, partial(self.use_room, sender), ROOM, sender)
        while self.agenda and self.agenda[0][0] < end:
            self.now = self.agenda[0][0]
            while self.agenda and self.agenda[0][0] == self.now:
                heapq.heappop(self.agenda)[-1]()
            while self.free <= self.now and (task := self.pick()) is not None:
                if task.sender is not None and self.options["buffer_messages"]:
                    self.rooms.append((task.broadcast, task.sender, self.now))
                self.free = task.carry_out(self.now)
            self.at(self.free, lambda: None)
        return self

    def queue(self, task: Callable[[int], int], *, is_start: bool = False) -> None:
        """A task of its own."""
        apart = self.options["own_tasks"] != "with_messages"
        (self.own if apart else self.messages).append(Waiting(task, is_start=is_start))

    def pick(self) -> Waiting | None:
        """What it takes next. (No message begins a broadcast here.)"""
        held = any(self.unsent.values())
        queues = [self.own, self.messages]
        if self.options["own_tasks"] == "after_messages":
            queues.reverse()
        for queue in queues:
            places = range(len(queue))
            for place in reversed(places) if queue is self.own and self.options.get("last_task_first") else places:
                if not (held and queue[place].is_start):
                    task = queue[place]
                    del queue[place]
                    return task
        return None

    def send(self, broadcast: int, to: int) -> None:
        """Now, or when there is room."""
        if self.options["buffer_messages"] and not self.room[to]:
            self.unsent[to].append(broadcast)
            return
        self.room[to] -= 1
        self.sent.append((broadcast, to, self.now))

    def use_room(self, to: int) -> None:
        """One more may go there."""
        self.room[to] += 1
        if self.unsent[to]:
            self.send(self.unsent[to].popleft(), to)

    def at(self, cycle: int, what: Callable[[], None], part: int = OWN, sender: int = 0) -> None:
        """Now, or in a later cycle."""
        if cycle > self.now:
            heapq.heappush(self.agenda, (cycle, part, sender, next(self.count), what))
        else:
            what()

    def begin_burst(self) -> None:
        """Its broadcasts begin one by one."""
        self.to_begin = self.unfinished = self.options["burst"]
        self.burst_begin, self.whole = self.now, True
        self.start_next()

    def start_next(self) -> None:
        """The next broadcast of the burst."""
        if self.to_begin:
            self.to_begin -= 1
            self.queue(partial(self.start, self.next), is_start=True)
            self.next += 1

    def start(self, broadcast: int, t: int) -> int:
        """Tells all, sees to the next one, handles the event."""
        self.open[broadcast], self.begun[broadcast] = [], t
        if self.cost["timeout"]:
            self.at(t + self.cost["timeout"], partial(self.give_up, broadcast), TIMEOUT)
        for to in self.told:
            t += self.cost["send"]
            self.at(t, partial(self.send, broadcast, to))
        if self.options["queued_events"]:
            self.at(t, partial(self.queue, partial(self.handle, broadcast)))
        self.at(t, self.start_next)
        t += self.cost["issue"]
        return t if self.options["queued_events"] else self.handle(broadcast, t)

    def handle(self, broadcast: int, t: int) -> int:
        """The event."""
        self.handled.add(broadcast)
        t += self.cost["event"]
        self.unhandled = broadcast + 1
        due = [kept for kept in self.kept if kept[0] <= self.unhandled]
        self.kept = [kept for kept in self.kept if kept[0] > self.unhandled]
        for number, sender in due:
            self.at(t, partial(self.queue, partial(self.hear_again, number, sender)))
        return self.finish(broadcast, t)

    def hear_again(self, broadcast: int, sender: int, t: int) -> int:
        """A message that had been put aside."""
        self.open[broadcast].append(sender)
        return self.finish(broadcast, t)

    def hear(self, broadcast: int, sender: int, t: int) -> int:
        """A message, on time or late."""
        t += self.cost["receive"] + self.cost["order"]
        if broadcast in self.open and self.options["sequenced"] and broadcast > self.unhandled:
            self.kept.append((broadcast, sender))
        elif broadcast in self.open:
            self.open[broadcast].append(sender)
            t = self.finish(broadcast, t)
        else:
            self.refused.append(
                f"position 0 (root) was told of broadcast {broadcast} by position {sender}, after it was done with it"
            )
        return t + self.cost["after"]

    def finish(self, broadcast: int, t: int) -> int:
        """If that was the last of it."""
        heard = self.open.get(broadcast)
        if heard is None or len(heard) < len(self.hears) or broadcast not in self.handled:
            return t
        del self.open[broadcast]
        self.at(t, partial(self.end, broadcast, True))
        return t + self.cost["settle"]

    def give_up(self, broadcast: int) -> None:
        """It takes too long."""
        if broadcast in self.begun:
            self.given_up[broadcast] = self.open.pop(broadcast, self.hears)
            self.end(broadcast, False)

    def end(self, broadcast: int, complete: bool) -> None:
        """Of a broadcast, and of its burst with the last one."""
        if broadcast not in self.begun:
            return
        begin = self.begun.pop(broadcast)
        if complete:
            self.completed.append((begin, self.now))
        self.whole &= complete
        self.unfinished -= 1
        if self.unfinished == 0:
            if self.whole:
                self.bursts.append((self.burst_begin, self.now))
            self.at(self.now + self.cost["gap"], self.begin_burst)


def positions(log: Log, mine: np.ndarray, parts: list[Part], options: Tree, network: Network) -> dict[int, int]:
    """Of every node. What is annealed is read from the first broadcast that is whole: who told how many in turn."""
    n, root = len(parts), options["root"]
    if options["scheme"] == "spanning_tree":
        return {node: p for p, node in enumerate(along_links(network, root)[1])}
    if options["placement"] == "node_order":
        return {(root + p) % n: p for p in range(n)}
    if options["buffer_messages"]:
        raise ValueError("where annealing puts nodes whose messages wait for room the account does not know")
    by_broadcast: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i in mine.tolist():
        by_broadcast[int(log.stream[i])][int(log.source[i])].append(int(log.destination[i]))
    whole = sum(len(heard) for heard in heard_by(parts))
    for told in by_broadcast.values():
        if sum(map(len, told.values())) < whole:
            continue
        result, nodes = {root: 0}, [root]
        for node in nodes:
            part = parts[result[node]]
            for other, p in zip(told[node], part.at_once + part.when_done, strict=False):
                if other not in result:
                    result[other] = p
                    nodes.append(other)
        return result
    return {}


def check_messages(
    log: Log, mine: np.ndarray, parts: list[Part], at: dict[int, int], *, in_turn: bool, complaints: list[str]
) -> None:
    """Whether each position tells in each broadcast whom it should and nobody else, `in_turn` unless there may be room
    for the one sooner than for the other."""
    if sorted(at.values()) != list(range(len(parts))):
        complaints.append(f"broadcast: nodes and positions are {at}")
        return
    told: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i in mine.tolist():
        told[int(log.stream[i]), at[int(log.source[i])]].append(at[int(log.destination[i])])
    for (broadcast, position), others in told.items():
        part = parts[position]
        should = part.at_once + part.when_done
        if others != should[: len(others)] if in_turn else Counter(others) - Counter(should):
            complaints.append(f"broadcast: position {position} tells {others} of broadcast {broadcast}")


def blame(heard: dict[int, list[int]], parts: list[Part], node: dict[int, int]) -> str:
    """Who let a broadcast down; `heard`: by position, the root's until it was given up."""
    hears = heard_by(parts)
    for p, part in enumerate(parts):
        if p and not heard[p]:
            continue
        if any(p not in heard[to] for to in part.at_once):
            return f"node {node[p]} ({part.role}) did not pass it on"
        if (not p or len(heard[p]) == len(hears[p])) and any(p not in heard[to] for to in part.when_done):
            return f"node {node[p]} ({part.role}) did not acknowledge"
    return "it was not complete"


def broadcast(log: Log, window: Window, network: Network, options: Tree, end: int, complaints: list[str]) -> Tree:
    """All figures of [broadcast]."""
    parts = parts_of(options, network)
    mine = np.flatnonzero(log.kind == "broadcast")
    at = positions(log, mine, parts, options, network)
    check_messages(log, mine, parts, at, in_turn=not options["buffer_messages"], complaints=complaints)
    there = mine[log.delivered[mine] != NEVER]
    heard = [
        (int(log.delivered[i]), at[int(log.source[i])], int(log.stream[i]))
        for i in there
        if log.destination[i] == options["root"]
    ]
    said = [i for i in np.flatnonzero(log.kind == "room").tolist() if log.created[i] < end]
    rooms = sorted(
        (int(log.delivered[i]), at[int(log.source[i])])
        for i in said
        if log.destination[i] == options["root"] and log.delivered[i] != NEVER
    )
    root = Root(options, parts).run(sorted(heard), rooms, end)
    silent = options["silent_broadcast"] if options["silent_node"] == options["root"] else -1
    sent = sorted(message for message in root.sent if message[0] != silent and message[2] < end)
    logged = sorted(
        (int(log.stream[i]), at[int(log.destination[i])], int(log.created[i]))
        for i in mine
        if log.source[i] == options["root"]
    )
    if sent != logged:
        complaints.append(f"broadcast: the root's messages differ, {sorted(set(sent) ^ set(logged))[:3]}")
    mine_said = sorted(
        (int(log.stream[i]), at[int(log.destination[i])], int(log.created[i]))
        for i in said
        if log.source[i] == options["root"]
    )
    if sorted(root.rooms) != mine_said:
        complaints.append(f"broadcast: the root tells of room, {sorted(set(root.rooms) ^ set(mine_said))[:3]}")
    lines = []
    for number, mouths in root.given_up.items():
        known: dict[int, list[int]] = defaultdict(list)
        for i in there[log.stream[there] == number].tolist():
            known[at[int(log.destination[i])]].append(at[int(log.source[i])])
        who = blame(known | {0: mouths}, parts, {p: node for node, p in at.items()})
        lines.append(f"broadcast {number}: {who} within {options['timeout_cycles']} cycles")
    return (
        scheme_figures(options, parts)
        | figures(root.completed, root.bursts, window, options["burst"])
        | {
            "unacknowledged": lines,
            "refused": root.refused[:REFUSALS],
        }
    )


def scheme_figures(options: Tree, parts: list[Part]) -> Tree:
    """Of one broadcast."""
    return {
        "scheme": options["scheme"],
        "positions": len(parts),
        "messages": sum(len(part.at_once + part.when_done) for part in parts),
        "longest_path": longest_path(parts),
    }


def figures(completed: list[Span], bursts: list[Span], window: Window, burst: int, after: int = 0) -> Tree:
    """Of broadcasts and bursts. They are counted `after` cycles before their end."""
    ends = np.array([e for _, e in completed], dtype=np.int64) - after
    inside = ends[window.holds(ends)]
    lengths = distribution(spans(bursts, window, after))
    return {
        "completed": len(inside),
        "broadcasts_per_kilocycle": rate(
            np.ones(len(inside), dtype=np.int64), window.batch_of(inside), window.batches, Fraction(window.batch, 1000)
        ),
        "latency_cycles": distribution(spans(completed, window, after)),
        "burst_cycles": lengths,
        "burst_broadcasts_per_kilocycle": Fraction(1000 * burst, lengths["p50"]) if lengths["count"] else None,
    }


def spans(all_: list[Span], window: Window, after: int = 0) -> np.ndarray:
    """Lengths of those that lie in the window."""
    return np.array([e - b for b, e in all_ if window.begin <= b and e - after < window.end], dtype=np.int64)
