"""Acknowledged broadcasts on nodes with a processor each: diamond rings (DR), sequenced (SDR), balanced trees (BT).

The model, in cycles.

*Node.* One processor and one queue of tasks, first come first served, without priorities and without end. The
processor takes the front task when it is free and carries it out to the end. Tasks are: a message that arrived, the
start of a broadcast (root), an event (if events are queued).

*Network.* A message leaves at the end of its `send` and joins the receiver's queue `delay(sender, receiver,
broadcast)` cycles later, at least one; in order between two nodes, unless `in_order` is off. Within a cycle queues
fill first (what the node itself queues, then arrivals by sender's number), then free processors take a task.

*Deque.* With `own` "before" or "after" what a node queues itself waits in a deque beside the messages and goes before
or after all of them; with `last_task_first` its last task goes first.

*Buffers.* With `buffers` a node has room for so many messages of each node that tells it, from their leaving on to
their being taken. A message without room waits at its sender. When a message is taken its sender hears of the room by a
message of the network that costs no processor anything, `delay` cycles later and before all else of its cycle; the
oldest message that waits for it leaves in that cycle. A node of which messages wait takes up no broadcast that has not
begun there: the first such message in a buffer holds up those behind it in the buffer, other tasks go on.

*Costs.*
- `receive`: each message, first thing of its task;
- `event`: handling the event, once a node and broadcast, before the node may pass on;
- `send`: each message, one after the other, the k-th leaves after k of them;
- `settle`: once a node and broadcast, right after passing on (root: after completion), in the same task;
- `after`: each message, last thing of its task, whether or not the node passed on in it. So it is off the way of this
  message, but the next message in the queue waits for it;
- `issue`: once a broadcast at the root, after its sends and before its event;
- `order`: each message of a sequenced ring, after `receive`.

*DR.* Root, start of b: send to each successor in turn; queue the start of b + 1 (in a burst); `issue`; handle the
event. Others, first message of b: receive, handle. Whichever task finds the event handled and b heard from every
predecessor (a parallel link counts as one more) passes on: sends to each successor in turn, then settles. At the root
passing on is completion, without a message.
*BT.* Root likewise. Others, message of b from the parent: receive, send to each child in turn, handle. Whichever task
finds the event handled and every child's acknowledgement in sends one to the parent, then settles.
*SDR.* A DR in which a node's counter names the broadcast it handles next. A message of a later one is put aside after
`receive` and `order` (and `after`). When the node has handled an event it steps the counter, and what was put aside
for the new number goes to the queue's end, costing no receive, order or after when it is taken again.

*Events inline* (default): `event` is spent in the task that begins it, at the place said above. *Events queued*: that
task puts an event task at its node's queue's end instead and goes on with what is left of it (`after`); the event
task spends `event` and passes on if nothing is missing. At the root the event is queued before the start of b + 1.

*Figures.* Latency: from the root's first cycle on a broadcast to its completion, in a network otherwise idle.
Throughput of a burst: broadcasts over the cycle in which the last completes, the first begun in cycle 0: the fill is
in it; settling and after-work of the last one are not.

TILE-Gx72 (section 4.5 of the paper, ns = cycles at 1 GHz): receive 19, event 2, send 93, settle 242, after 94, events
inline, sends in ascending order of equation 2, no companion, parallel links kept: see fit.py. Issue 14 calls
these, in this order, receive, work, send, handle, after-work. An event that costs 242 before passing on cannot be
meant: 72 hops of arity 1 would take 25 us, not 8.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from structure import Multicast, Ring, Tree

Delay = Callable[[int, int, int], int]  # sender, receiver, broadcast
ROOM, SEND, FILL_OWN, FILL_ARRIVED, TAKE = range(5)  # the parts of a cycle


@dataclass(frozen=True)
class Costs:
    receive: int = 0
    event: int = 0
    send: int = 0
    settle: int = 0
    after: int = 0
    issue: int = 0
    order: int = 0


@dataclass(frozen=True)
class Task:
    kind: str  # "start", "message", "acknowledgement", "event"
    broadcast: int
    again: bool = False  # was put aside: received and paid for


@dataclass
class Share:
    """What a node knows of a broadcast."""

    heard: int = 0
    begun: bool = False
    handled: bool = False
    passed: bool = False


@dataclass
class Node:
    queue: deque[tuple[int, Task]] = field(default_factory=deque)  # with the sender
    own: deque[tuple[int, Task]] = field(default_factory=deque)
    free_at: int = 0
    shares: defaultdict[int, Share] = field(default_factory=lambda: defaultdict(Share))
    next_event: int = 0
    aside: defaultdict[int, list[Task]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Simulation:
    """One run. `completed` by broadcast; `handled` and `tasks` (begin, end, node, task) in order of time for tests."""

    graph: Ring | Tree
    costs: Costs
    delay: Delay
    broadcasts: int = 1
    queued: bool = False
    sequenced: bool = False
    descending: bool = False
    in_order: bool = True
    own: str = "with"  # or "before", "after"
    last_task_first: bool = False
    buffers: int = 0

    def __post_init__(self) -> None:
        graph = self.graph
        self.tree = isinstance(graph, Tree)
        onward, back = (graph.children, graph.children) if self.tree else (graph.successors, graph.predecessors)
        self.onward = [following[::-1] if self.descending else following for following in onward]
        self.awaited = [len(before) for before in back]
        self.nodes = [Node() for _ in range(graph.n)]
        self.completed: dict[int, int] = {}
        self.handled: list[tuple[int, int, int]] = []
        self.tasks: list[tuple[int, int, int, Task]] = []
        self.messages = 0
        self._agenda: list[tuple] = []
        self._last: dict[tuple[int, int], int] = {}
        self._count = 0
        self._room: defaultdict[tuple[int, int], int] = defaultdict(int)  # sender, receiver: taken up
        self._waiting: list[defaultdict[int, deque[Task]]] = [defaultdict(deque) for _ in self.nodes]

    def run(self) -> Simulation:
        self._enqueue(0, 0, Task("start", 0))
        while self._agenda:
            t, part, number, other, _, task = heapq.heappop(self._agenda)
            node = self.nodes[number]
            if part == SEND:
                self._leave(t, number, other, task)
            elif part == ROOM:
                self._use_room(t, number, other)
            elif part != TAKE:
                own = part == FILL_OWN and self.own != "with"
                (node.own if own else node.queue).append((other, task))
                if node.free_at <= t:  # else it looks when it is free
                    self._at(t, TAKE, number, 0, None)
            elif node.free_at <= t and (found := self._pick(number)) is not None:
                sender, task = found
                if self.buffers and task.kind in ("message", "acknowledgement") and not task.again:
                    self._say_room(t, number, sender, task)
                node.free_at = self._carry_out(t, number, task)
                self.tasks.append((t, node.free_at, number, task))
                self._at(node.free_at, TAKE, number, 0, None)
        assert len(self.completed) == self.broadcasts, "a broadcast without end"
        return self

    def _carry_out(self, t: int, number: int, task: Task) -> int:
        """Begins a task in cycle t; when it ends."""
        if task.kind == "start":
            return self._start(t, task.broadcast)
        if task.kind == "event":
            return self._pass_on(self._handle(t, number, task.broadcast), number, task.broadcast)
        after = 0 if task.again else self.costs.after
        if not task.again:
            t += self.costs.receive + (self.costs.order if self.sequenced else 0)
        if self.sequenced and task.broadcast > self.nodes[number].next_event:
            self.nodes[number].aside[task.broadcast].append(Task(task.kind, task.broadcast, again=True))
            return t + after
        return self._hear(t, number, task) + after

    def _start(self, t: int, broadcast: int) -> int:
        t = self._send_onward(t, 0, broadcast)
        if self.queued:
            self._begin_event(t, 0, broadcast)
        if broadcast + 1 < self.broadcasts:
            self._enqueue(t, 0, Task("start", broadcast + 1))
        t += self.costs.issue
        if not self.queued:
            t = self._begin_event(t, 0, broadcast)
        return self._pass_on(t, 0, broadcast)

    def _hear(self, t: int, number: int, task: Task) -> int:
        share = self.nodes[number].shares[task.broadcast]
        if not self.tree or task.kind == "acknowledgement":
            share.heard += 1
        if number != 0 and not share.begun:
            if self.tree:
                t = self._send_onward(t, number, task.broadcast)
            t = self._begin_event(t, number, task.broadcast)
        return self._pass_on(t, number, task.broadcast)

    def _begin_event(self, t: int, number: int, broadcast: int) -> int:
        self.nodes[number].shares[broadcast].begun = True
        if not self.queued:
            return self._handle(t, number, broadcast)
        self._enqueue(t, number, Task("event", broadcast))
        return t

    def _handle(self, t: int, number: int, broadcast: int) -> int:
        t += self.costs.event
        node = self.nodes[number]
        node.shares[broadcast].handled = True
        self.handled.append((t, number, broadcast))
        node.next_event = broadcast + 1
        for task in node.aside.pop(node.next_event, []):
            self._enqueue(t, number, task)
        return t

    def _pass_on(self, t: int, number: int, broadcast: int) -> int:
        share = self.nodes[number].shares[broadcast]
        if share.passed or not share.handled or share.heard < self.awaited[number]:
            return t
        share.passed = True
        if number == 0:
            self.completed[broadcast] = t
        elif self.tree:
            t = self._send(t, number, self.graph.parent[number], Task("acknowledgement", broadcast))
        else:
            t = self._send_onward(t, number, broadcast)
        return t + self.costs.settle

    def _send_onward(self, t: int, number: int, broadcast: int) -> int:
        if isinstance(self.graph, Multicast) and self.onward[number]:
            t += self.costs.send
            self.messages += 1
            for receiver in self.onward[number]:
                self._depart(t, number, receiver, Task("message", broadcast))
            return t
        for receiver in self.onward[number]:
            t = self._send(t, number, receiver, Task("message", broadcast))
        return t

    def _send(self, t: int, sender: int, receiver: int, task: Task) -> int:
        t += self.costs.send
        self.messages += 1
        if self.buffers:
            self._at(t, SEND, sender, receiver, task)
        else:
            self._depart(t, sender, receiver, task)
        return t

    def _depart(self, t: int, sender: int, receiver: int, task: Task) -> None:
        arrives = t + max(1, self.delay(sender, receiver, task.broadcast))
        if self.in_order:
            arrives = max(arrives, self._last.get((sender, receiver), 0))
            self._last[sender, receiver] = arrives
        self._at(arrives, FILL_ARRIVED, receiver, sender, task)

    def _leave(self, t: int, sender: int, receiver: int, task: Task) -> None:
        if self._room[sender, receiver] < self.buffers:
            self._room[sender, receiver] += 1
            self._depart(t, sender, receiver, task)
        else:
            self._waiting[sender][receiver].append(task)

    def _say_room(self, t: int, receiver: int, sender: int, task: Task) -> None:
        self._at(t + max(1, self.delay(receiver, sender, task.broadcast)), ROOM, sender, receiver, task)

    def _use_room(self, t: int, sender: int, receiver: int) -> None:
        if waiting := self._waiting[sender][receiver]:
            self._depart(t, sender, receiver, waiting.popleft())
            self._at(t, TAKE, sender, 0, None)
        else:
            self._room[sender, receiver] -= 1

    def _pick(self, number: int) -> tuple[int, Task] | None:
        """What a free node takes, out of its queues."""
        node = self.nodes[number]
        held = any(self._waiting[number].values())
        queues = [(node.queue, False), (node.own, self.last_task_first)]
        for queue, last_task_first in queues if self.own == "after" else reversed(queues):
            passed = set()
            for place in reversed(range(len(queue))) if last_task_first else range(len(queue)):
                sender, task = queue[place]
                message = task.kind in ("message", "acknowledgement") and not task.again
                new = task.kind == "start" or (task.kind != "event" and not node.shares[task.broadcast].begun)
                if not held or not (new or (message and sender in passed)):
                    del queue[place]
                    return sender, task
                if message:
                    passed.add(sender)
        return None

    def _enqueue(self, t: int, number: int, task: Task) -> None:
        self._at(t, FILL_OWN, number, 0, task)

    def _at(self, t: int, part: int, number: int, sender: int, task: Task | None) -> None:
        self._count += 1
        heapq.heappush(self._agenda, (t, part, number, sender, self._count, task))


def latency(graph: Ring | Tree, costs: Costs, delay: Delay, **options: bool) -> int:
    return Simulation(graph, costs, delay, 1, **options).run().completed[0]


def burst(graph: Ring | Tree, costs: Costs, delay: Delay, broadcasts: int = 128, **options: bool) -> float:
    """Broadcasts a cycle, the fill included."""
    return broadcasts / max(Simulation(graph, costs, delay, broadcasts, **options).run().completed.values())


def cycles_a_broadcast(graph: Ring | Tree, costs: Costs, delay: Delay, broadcasts: int = 128, **options: bool) -> float:
    """Without the fill: what a burst of twice the length takes longer."""
    once, twice = (Simulation(graph, costs, delay, n, **options).run().completed for n in (broadcasts, 2 * broadcasts))
    return (max(twice.values()) - max(once.values())) / broadcasts


def bottleneck(graph: Ring | Tree, costs: Costs) -> int:
    """Cycles a broadcast of the busiest node: the bound of `cycles_a_broadcast`."""

    def busy(node: int) -> int:
        if isinstance(graph, Tree):
            up, down = int(node != 0), len(graph.children[node])
            heard, sent = up + down, down + up
        else:
            heard, sent = len(graph.predecessors[node]), len(graph.successors[node])
        each = costs.event + costs.settle + (costs.issue if node == 0 else 0)
        return heard * (costs.receive + costs.after) + each + sent * costs.send

    return max(busy(node) for node in range(graph.n))


def constant(cycles: int) -> Delay:
    return lambda _sender, _receiver, _broadcast: cycles


def mesh(columns: int, *, hop: int = 1, base: int = 0) -> Delay:
    """X-first on a mesh, nodes row by row from the corner; nothing contends."""

    def delay(sender: int, receiver: int, _broadcast: int) -> int:
        (y, x), (to_y, to_x) = divmod(sender, columns), divmod(receiver, columns)
        return base + hop * (abs(x - to_x) + abs(y - to_y))

    return delay
