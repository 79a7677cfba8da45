"""Consistency events on nodes with a processor each, several roots at once: the model, in cycles, written from
docs/diamond-rings.md ("Consistency events").

*Node.* One processor, one queue of tasks, first come first served. Within a cycle queues fill first, what a node queues
itself before arrivals, arrivals by (sender, broadcast, word), then free processors take a task. Senders are ordered by
their place from the first root on.

*Shoot-downs.* Each root tells all others over its own graph, `burst` events after each other; the next burst `gap`
cycles after the last completion.
*Requests.* Each requester asks, from cycle 0 on, root (node + requests so far) modulo the roots: `send`, then a message
`request`; a root that asks itself puts the request in order at once. The root spends `receive` on a request, queues the
start of its next event, spends `after`. Events of one root are handled everywhere in their order; what is early is put
aside and costs nothing when it is taken again. When an event is complete its root queues a `answer` to whoever asked
(itself: it knows at once), which costs `send`. Of ownership, who owned before (at first the root) queues the sending of
the `value` when it has handled the event, or, if its own request is not done by then, when that is done; nobody sends
to itself. A requester spends `receive` and `after` on answer and value; it is done when it has both. Of atomic updates,
and where it owned before, it has the value when it has handled its own event. `gap` cycles later it asks again.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from simulate import Costs
from structure import Ring, Tree

OWN, ARRIVED, TAKE = range(3)
WORDS = ("broadcast", "request", "answer", "value")


@dataclass(frozen=True)
class Task:
    """Of an event number of a root: "start", "say" (`word` to `other`), "hear" (`word` from `other`), "again"."""

    kind: str
    root: int
    number: int
    other: int = 0
    word: str = "broadcast"


@dataclass
class Part:
    """What a node knows of an event."""

    begun: bool = False
    handled: bool = False
    heard: int = 0


@dataclass
class Asked:
    """A node's request."""

    begin: int = 0
    open: bool = False
    root: int = 0
    number: int | None = None
    answered: bool = False
    has_value: bool = False


@dataclass
class Node:
    queue: deque[Task] = field(default_factory=deque)
    free_at: int = 0
    parts: defaultdict[tuple[int, int], Part] = field(default_factory=lambda: defaultdict(Part))
    next_event: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))  # of a root
    aside: list[Task] = field(default_factory=list)
    asked: Asked = field(default_factory=Asked)
    requests: int = 0
    owes: dict[int, int] = field(default_factory=dict)  # root: number


class Events:
    """A run up to a cycle. `sent`: (word, from, to, broadcast, cycle); `done`: (begin, end) of events, of requests."""

    def __init__(
        self,
        graph: Callable[[], Ring | Tree],
        roots: list[int],
        operation: str,
        costs: Costs,
        requesters: list[int] | None = None,
        burst: int = 1,
        gap: int = 0,
        end: int = 10_000,
    ) -> None:
        self.graph, self.roots, self.operation, self.costs = graph(), roots, operation, costs
        self.burst, self.gap, self.end = burst, gap, end
        self.n = self.graph.n
        self.nodes = [Node() for _ in range(self.n)]
        self.asked_by: list[list[int]] = [[] for _ in roots]
        self.begun: dict[tuple[int, int], int] = {}
        self.left = [0] * len(roots)  # events of the burst that have not started, that are not complete
        self.open = [0] * len(roots)
        self.count = [0] * len(roots)
        self.sent: list[tuple[str, int, int, int, int]] = []
        self.done: list[tuple[int, int]] = []
        self._agenda: list[tuple] = []
        self._count = 0
        self.requesters = list(range(self.n)) if requesters is None else requesters

    def delay(self, word: str, sender: int, receiver: int, broadcast: int, cycle: int) -> int | None:
        """From its creation to the cycle in whose queue it is; None: after the end."""
        raise NotImplementedError

    def run(self) -> Events:
        for node in range(self.n):
            if self.operation == "shoot_down" and node in self.roots:
                self._begin_burst(0, self.roots.index(node))
            elif self.operation != "shoot_down" and node in self.requesters:
                self._ask(0, node)
        while self._agenda:
            t, _, _, _, _, number, act = heapq.heappop(self._agenda)
            if t > self.end:
                break
            node = self.nodes[number]
            if isinstance(act, Task):
                self._enqueue(t, number, act)
            elif act is not None:
                act(t)
            elif node.free_at <= t and node.queue:
                node.free_at = self._carry_out(t, number, node.queue.popleft())
                self._at(node.free_at, TAKE, number, None)
        return self

    # ---------------------------------------------------------------- tasks

    def _carry_out(self, t: int, number: int, task: Task) -> int:
        costs = self.costs
        if task.kind == "say":
            self._send(t + costs.send, number, task)
            return t + costs.send
        if task.kind == "start":
            return self._start(t, number, task)
        if task.word != "broadcast":
            t += costs.receive
            self._at(t, OWN, number, lambda now: self._listened(now, number, task))
            return t + costs.after
        after = 0
        if task.kind == "hear":
            t += costs.receive + (costs.order if self.operation != "shoot_down" else 0)
            after = costs.after
            if self.operation != "shoot_down" and task.number > self.nodes[number].next_event[task.root]:
                self.nodes[number].aside.append(Task("again", task.root, task.number, task.other))
                return t + after
        return self._hear(t, number, task) + after

    def _start(self, t: int, number: int, task: Task) -> int:
        self.begun[task.root, task.number] = t
        t = self._tell(t, number, task, self._onward(number, task.root))
        if self.operation == "shoot_down":
            self._at(t, OWN, number, lambda now: self._start_next(now, task.root))
        return self._handle(t + self.costs.issue, number, task)

    def _hear(self, t: int, number: int, task: Task) -> int:
        part = self.nodes[number].parts[task.root, task.number]
        first = not part.begun
        part.begun = True
        tree = isinstance(self.graph, Tree)
        down = tree and task.other == self._node(self.graph.parent[self._place(number, task.root)], task.root)
        part.heard += 0 if down else 1
        if number == self.roots[task.root]:
            return self._finish(t, number, task)
        if first:
            if tree:
                t = self._tell(t, number, task, self._onward(number, task.root))
            return self._handle(t, number, task)
        return self._finish(t, number, task)

    def _handle(self, t: int, number: int, task: Task) -> int:
        t += self.costs.event
        node = self.nodes[number]
        part = node.parts[task.root, task.number]
        part.begun = part.handled = True
        if self.operation != "shoot_down":
            self._at(t, OWN, number, lambda now: self._handled(now, number, task.root, task.number))
            node.next_event[task.root] = task.number + 1
            due = [kept for kept in node.aside if kept.root == task.root and kept.number <= task.number + 1]
            node.aside = [kept for kept in node.aside if kept not in due]
            for kept in due:
                self._at(t, OWN, number, kept)
        return self._finish(t, number, task)

    def _finish(self, t: int, number: int, task: Task) -> int:
        part = self.nodes[number].parts[task.root, task.number]
        graph, place = self.graph, self._place(number, task.root)
        tree = isinstance(graph, Tree)
        if not part.handled or part.heard < len(graph.children[place] if tree else graph.predecessors[place]):
            return t
        if number == self.roots[task.root]:
            self._at(t, OWN, number, lambda now: self._completed(now, task.root, task.number))
        else:
            up = [self._node(graph.parent[place], task.root)] if tree else self._onward(number, task.root)
            t = self._tell(t, number, task, up)
        return t + self.costs.settle

    # ---------------------------------------------------------------- what comes of them

    def _begin_burst(self, t: int, root: int) -> None:
        self.left[root] = self.open[root] = self.burst
        self._start_next(t, root)

    def _start_next(self, t: int, root: int) -> None:
        if self.left[root] == 0:
            return
        self.left[root] -= 1
        self._begin_event(t, root)

    def _begin_event(self, t: int, root: int) -> None:
        self._enqueue(t, self.roots[root], Task("start", root, self.count[root]))
        self.count[root] += 1

    def _completed(self, t: int, root: int, number: int) -> None:
        here = self.roots[root]
        if self.operation == "shoot_down":
            self.done.append((self.begun[root, number], t))
            self.open[root] -= 1
            if self.open[root] == 0:
                self._at(t + self.gap, OWN, here, lambda now: self._begin_burst(now, root))
            return
        asker = self.asked_by[root][number]
        if asker != here:
            self._enqueue(t, here, Task("say", root, number, asker, "answer"))
        else:
            self.nodes[here].asked.answered = True
            self._end_if_done(t, here)

    def _ask(self, t: int, number: int) -> None:
        node = self.nodes[number]
        root = (number + node.requests) % len(self.roots)
        node.requests += 1
        node.asked = Asked(t, True, root)
        if self.roots[root] == number:
            self._put_in_order(t, root, number)
        else:
            self._enqueue(t, number, Task("say", root, 0, self.roots[root], "request"))

    def _put_in_order(self, t: int, root: int, asker: int) -> None:
        self.asked_by[root].append(asker)
        self._begin_event(t, root)

    def _listened(self, t: int, number: int, task: Task) -> None:
        asked = self.nodes[number].asked
        if task.word == "request":
            self._put_in_order(t, task.root, task.other)
            return
        asked.answered |= task.word == "answer"
        asked.has_value |= task.word == "value"
        self._end_if_done(t, number)

    def _handled(self, t: int, number: int, root: int, event: int) -> None:
        node = self.nodes[number]
        owner = self.asked_by[root][event - 1] if event else self.roots[root]
        mine = self.asked_by[root][event] == number
        if mine:
            node.asked.number = event
            node.asked.has_value |= self.operation == "atomic_update" or owner == number
            self._end_if_done(t, number)
        elif self.operation == "ownership" and owner == number:
            asked = node.asked
            if event and asked.open and asked.root == root and asked.number == event - 1:
                node.owes[root] = event
            else:
                self._pass_on(t, number, root, event)

    def _pass_on(self, t: int, number: int, root: int, event: int) -> None:
        self._enqueue(t, number, Task("say", root, event, self.asked_by[root][event], "value"))

    def _end_if_done(self, t: int, number: int) -> None:
        node = self.nodes[number]
        asked = node.asked
        if not (asked.open and asked.answered and asked.has_value):
            return
        asked.open = False
        self.done.append((asked.begin, t))
        if asked.root in node.owes:
            self._pass_on(t, number, asked.root, node.owes.pop(asked.root))
        self._at(t + self.gap, OWN, number, lambda now: self._ask(now, number))

    # ---------------------------------------------------------------- graph, messages

    def _place(self, node: int, root: int) -> int:
        return (node - self.roots[root]) % self.n

    def _node(self, place: int | None, root: int) -> int:
        return -1 if place is None else (place + self.roots[root]) % self.n

    def _onward(self, number: int, root: int) -> list[int]:
        place = self._place(number, root)
        graph = self.graph
        onward = graph.children[place] if isinstance(graph, Tree) else graph.successors[place]
        return [self._node(other, root) for other in onward]

    def _tell(self, t: int, number: int, task: Task, others: list[int]) -> int:
        for other in others:
            t += self.costs.send
            self._send(t, number, Task("say", task.root, task.number, other))
        return t

    def _send(self, t: int, number: int, say: Task) -> None:
        """It leaves in that cycle, when the processor has come so far."""
        broadcast = say.root if say.word == "request" else say.number * len(self.roots) + say.root
        self._at(t, OWN, number, lambda now: self._leave(now, number, say, broadcast))

    def _leave(self, t: int, number: int, say: Task, broadcast: int) -> None:
        self.sent.append((say.word, number, say.other, broadcast, t))
        delay = self.delay(say.word, number, say.other, broadcast, t)
        if delay is not None:
            self._at(t + delay, ARRIVED, say.other, Task("hear", say.root, say.number, number, say.word))

    def _enqueue(self, t: int, number: int, task: Task) -> None:
        """Now; who is free takes a task when all queues are filled."""
        self.nodes[number].queue.append(task)
        self._at(t, TAKE, number, None)

    def _at(self, t: int, part: int, number: int, act: Task | Callable[[int], None] | None) -> None:
        """Of the arrivals of a cycle those of the first sender from the first root on come first."""
        self._count += 1
        sender, message = 0, (0, 0)
        if part == ARRIVED:
            assert isinstance(act, Task)
            sender = self._place(act.other, 0)
            broadcast = act.root if act.word == "request" else act.number * len(self.roots) + act.root
            message = (broadcast, WORDS.index(act.word))
        heapq.heappush(self._agenda, (t, part, sender, message, self._count, number, act))
