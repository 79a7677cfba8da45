"""What is compiled: braid.Network and braid.run are made of it."""

from collections.abc import Callable, Sequence
from typing import Any

class Arrival:
    """A packet that has arrived."""

    @property
    def cycle(self) -> int:
        """In which its tail came."""
    @property
    def source(self) -> int:
        """Node."""
    @property
    def destination(self) -> int:
        """Node."""
    @property
    def flits(self) -> int:
        """Its length."""
    @property
    def traffic_class(self) -> int:
        """Place in Network.traffic_classes."""
    @property
    def tag(self) -> int | None:
        """That it was sent with."""
    @property
    def created(self) -> int:
        """Cycle."""
    @property
    def injected(self) -> int:
        """Cycle in which its head was on the injection link."""
    @property
    def routers(self) -> int:
        """That it passed."""
    @property
    def sequence(self) -> int:
        """Counts the packets of its source."""
    @property
    def latency(self) -> int:
        """Cycles from creation to the tail's arrival."""

class Network:
    """A network of libbraid_steps.so."""

    def __init__(self, text: str, name: str, settings: Sequence[str]) -> None: ...
    @property
    def now(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def traffic_classes(self) -> list[str]: ...
    @property
    def busy(self) -> bool: ...
    @property
    def packets_sent(self) -> int: ...
    @property
    def packets_arrived(self) -> int: ...
    @property
    def packet_hash(self) -> int: ...
    def send(self, source: int, destination: int, flits: int, traffic_class: int = 0, tag: int = ...) -> None: ...
    def capacity(self, node: int) -> int: ...
    def step(self, cycles: int = 1) -> None: ...
    def arrivals(self, most: int = ...) -> list[Arrival]: ...
    def report_all_arrivals(self) -> None: ...
    def on_arrival(self, callback: Callable[[Arrival], None] | None) -> None: ...
    def save(self, file: str) -> None: ...
    def restore(self, file: str) -> None: ...
    @property
    def buffer_unit(self) -> str: ...
    @property
    def occupancy(self) -> Any: ...
    @property
    def credits(self) -> Any: ...
    @property
    def link_flits(self) -> Any: ...
    def topology(self) -> str: ...
    def configuration(self) -> str: ...

def run(
    text: str, name: str, settings: Sequence[str], progress: Callable[[int, int, str, str], None] | None
) -> tuple[str, str]: ...
def configuration(text: str, name: str, settings: Sequence[str]) -> str: ...
def declared() -> str: ...
