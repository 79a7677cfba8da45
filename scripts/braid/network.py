"""A network that a script steps, cycle by cycle."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from braid import native
from braid.experiment import Experiment
from braid.running import experiment_of

if TYPE_CHECKING:
    import networkx
    import numpy

    from braid._core import Arrival


class Network:
    """A network of the experiment's, stepped by the caller. It holds no SystemC kernel: any number may live in a
    process.

        net = braid.Network(braid.mesh(8, 8, vcs=4, rate=0))
        net.send(0, 63, flits=4, tag=7)
        net.step(100)
        net.arrivals()

    Between two calls every register has settled. A packet that is sent then was created in cycle now - 1, and its
    head leaves in cycle now at the earliest. Traffic that the experiment asks for runs along (rate=0: none).
    Raises InputError where a network needs SystemC (RTL, TLM sockets), DeadlockError while it is stepped.
    """

    def __init__(
        self, experiment: Experiment | str | os.PathLike[str] | dict[str, Any], *, all_arrivals: bool = False
    ) -> None:
        """all_arrivals: packets of the experiment's own traffic are among the arrivals, too."""
        self.experiment = experiment_of(experiment)
        e = self.experiment
        self._core = native.needed_core().Network(e.text, e.file, e.arguments)
        # What is called once a cycle is the compiled function itself.
        self.step: Callable[..., None] = self._core.step
        """step(cycles=1): runs so many cycles."""
        if all_arrivals:
            self._core.report_all_arrivals()

    @property
    def now(self) -> int:
        """Cycles that have run."""
        return self._core.now

    @property
    def nodes(self) -> int:
        """How many there are."""
        return self._core.nodes

    @property
    def traffic_classes(self) -> list[str]:
        """Names of the classes in which packets count."""
        return self._core.traffic_classes

    def send(
        self, source: int, destination: int, flits: int = 1, *, traffic_class: int | str = 0, tag: int | None = None
    ) -> None:
        """Puts a packet of `flits` flits into the queue of node `source`. `tag` (32 bits) comes with it."""
        number = traffic_class if isinstance(traffic_class, int) else self.traffic_classes.index(traffic_class)
        if tag is None:
            self._core.send(source, destination, flits, number)
        else:
            self._core.send(source, destination, flits, number, tag)

    def arrivals(self, most: int | None = None) -> list[Arrival]:
        """Takes the packets that have arrived since the last call, by cycle, then by destination."""
        return self._core.arrivals() if most is None else self._core.arrivals(most)

    def on_arrival(self, callback: Callable[[Arrival], None] | None) -> None:
        """From now on `step` calls back for each arrival, in its cycle; the callback may send. None: no longer."""
        self._core.on_arrival(callback)

    @property
    def busy(self) -> bool:
        """Is any packet under way, waiting ones included?"""
        return self._core.busy

    def capacity(self, node: int) -> int:
        """How many packets sent at this node now would leave in the next cycle: its free local ports."""
        return self._core.capacity(node)

    @property
    def packets_sent(self) -> int:
        """Since cycle 0, by whomever."""
        return self._core.packets_sent

    @property
    def packets_arrived(self) -> int:
        """Since cycle 0."""
        return self._core.packets_arrived

    @property
    def packet_hash(self) -> str:
        """Over all packets that have arrived, as in results: equal for equal traffic."""
        return f"{self._core.packet_hash:016x}"

    @property
    def occupancy(self) -> numpy.ndarray:
        """[router, port, vc] what the buffers of the input ports hold, in `buffer_unit`. A read-only view of the
        network's memory, which is brought up to date each time the property is read; `.copy()` keeps one.

        Routers without virtual channels have one. The packets of a shared pool count at the port by which they came
        in. Raises InputError where routers have no buffers at their ports (ideal)."""
        return self._core.occupancy

    @property
    def credits(self) -> numpy.ndarray:
        """[router, port, vc] room behind the output ports, as their routers know it, in `buffer_unit`; 65535: a node
        that takes whatever comes. A view as `occupancy` is. Behind a port to a shared pool: its free buffers.

        Raises InputError where links have no credits (ideal; myrinet, whose links have stop and go)."""
        return self._core.credits

    @property
    def buffer_unit(self) -> str:
        """What `occupancy` and `credits` count: "flits", or "packets" where a buffer holds a whole one."""
        return self._core.buffer_unit

    @property
    def link_flits(self) -> numpy.ndarray:
        """[router, port] flits sent over the links that leave, since cycle 0; a view as `occupancy` is."""
        return self._core.link_flits

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, as `braid run --checkpoint` does."""
        self._core.save(os.fspath(file))

    def restore(self, file: str | os.PathLike[str]) -> None:
        """Goes on where a checkpoint of the same configuration was made."""
        self._core.restore(os.fspath(file))

    @property
    def topology(self) -> dict[str, Any]:
        """Names of the routers, nodes with their [router, port], links with latency; as JSON has them."""
        return json.loads(self._core.topology())

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The topology: routers as nodes, links as edges with port, latency and the flits that they have carried."""
        from braid.graphs import graph_of

        return graph_of(self.topology, self.link_flits)

    def __repr__(self) -> str:
        return f"Network({self.topology['name']}, cycle {self.now}, {self.packets_sent - self.packets_arrived} packets)"
