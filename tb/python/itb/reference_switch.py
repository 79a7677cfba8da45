"""The reference's switch: "The switch, cycle by cycle" in docs/in-transit-buffers.md, step by step."""

from __future__ import annotations

from collections import deque

from reference_link import Channel, Flit, Parameters


class Input:
    """A slack buffer and its header."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.buffer: deque[Flit] = deque()
        self.looked = False  # the header of the packet at the front has been taken out
        self.wants: int | None = None  # output port asked for and not granted yet
        self.stopping = False
        self.peak = 0


class Output:
    """A port that carries packet after packet."""

    def __init__(self, channel: Channel, ports: int) -> None:
        self.channel = channel
        self.owner: int | None = None  # input that it is granted to
        self.first_cycle = 0  # in which the owner's flits may leave
        self.last = ports - 1  # input granted last


class Router:
    """A switch; the methods are its steps in a cycle."""

    def __init__(self, number: int, inputs: dict[int, Input], outputs: dict[int, Output], ports: int) -> None:
        self.number, self.inputs, self.outputs, self.ports = number, inputs, outputs, ports

    def take(self, t: int, parameters: Parameters) -> None:
        """1. What has arrived is in the buffer."""
        for port, i in self.inputs.items():
            if flit := i.channel.arrived(t):
                i.buffer.append(flit)
            if len(i.buffer) > parameters.slack:
                raise RuntimeError(f"cycle {t}: slack buffer of router {self.number}, port {port} overflows")

    def look(self, t: int) -> None:
        """2. Headers. An end sign in the place of one vanishes."""
        for i in self.inputs.values():
            if i.buffer and not i.looked:
                flit = i.buffer.popleft()
                if flit.end_sign:
                    flit.packet.gone(t)
                else:
                    i.wants = flit.byte
                    i.looked = True

    def grant(self, t: int, parameters: Parameters) -> None:
        """3. Free outputs, round robin from behind the input granted last."""
        for number, o in self.outputs.items():
            if o.owner is not None:
                continue
            for step in range(1, self.ports + 1):
                port = (o.last + step) % self.ports
                if port in self.inputs and self.inputs[port].wants == number:
                    o.owner = o.last = port
                    o.first_cycle = t + parameters.routing
                    self.inputs[port].wants = None
                    break

    def stop_and_go(self, t: int, parameters: Parameters) -> None:
        """4. Signals by what the buffers hold."""
        for i in self.inputs.values():
            held = len(i.buffer)
            i.peak = max(i.peak, held)
            if not i.stopping and held >= parameters.stop:
                i.stopping = True
                i.channel.signal(t, stop=True)
            elif i.stopping and held <= parameters.go:
                i.stopping = False
                i.channel.signal(t, stop=False)

    def send(self, t: int) -> None:
        """A flit from every output that may; behind the tail the port is free."""
        for o in self.outputs.values():
            if o.owner is None or t < o.first_cycle:
                continue
            if o.channel.stopped:
                o.channel.held_cycles += 1
                continue
            i = self.inputs[o.owner]
            if not i.buffer:
                continue
            flit = i.buffer.popleft()
            o.channel.send(t, flit)
            if flit.tail:
                o.owner = None
                i.looked = False
