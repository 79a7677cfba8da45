"""What po2-message-scheduling, section 2, says of a node can be read off a waveform of E2."""

from collections import Counter
from itertools import pairwise

import pytest
from braid_tools.program import ROOT, braid
from braid_tools.vcd import Wave, read_vcd

CYCLES, ROUTERS = 12000, 7
STEP = {
    "east": 1,
    "north_east": 5,
    "north_west": 4,
}  # to the number of the router at the link's other end, and its port
BACK = {"east": "west", "north_east": "south_west", "north_west": "south_east"}
PORTS = [*BACK, *BACK.values(), "local0"]
NAMES = {
    0: "0_0",
    1: "1_0",
    2: "_1__1",
    3: "0__1",
    4: "0_1",
    5: "1_1",
    6: "_1_0",
}  # E2's routers: places on the hexagon
FREE, ARRIVING, WAITING = 0, 1, 2
IDLE, SENDING, RECEIVING = 0, 1, 2


@pytest.fixture(scope="module")
def wave(tmp_path_factory: pytest.TempPathFactory) -> Wave:
    """Links held for 1160 cycles a packet, so that both ends often wait, and bursts that meet backpressure."""
    file = tmp_path_factory.mktemp("po2") / "wave.vcd"
    settings = {
        "topology.edge": 2,
        "po2.acknowledge_cycles": 1000,
        "traffic.rate_flits_per_node_cycle": 0.3,
        "simulation.batch_cycles": 1000,
        "simulation.min_warmup_cycles": 2000,
        "simulation.max_warmup_cycles": 2000,
        "simulation.measure_cycles": CYCLES,
        "simulation.max_drain_cycles": 0,
        "trace.to_cycle": CYCLES,
    }
    options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    braid("run", ROOT / "tb" / "experiments" / "po2_hexagonal.toml", *options, "--quiet", "--trace", file)
    return read_vcd(file, ("state", "use", "buffer", "offer", "sent_last", "buffers_taken", "busy_waiting"))


def starts(values: list[int], value: int) -> list[int]:
    """Cycles in which a signal takes the value."""
    return [cycle + 1 for cycle, (before, after) in enumerate(pairwise(values)) if before != value == after]


def test_pool_is_counted(wave: Wave) -> None:
    most = 0
    for name in NAMES.values():
        states = [wave[f"router_{name}.buffer{b}.state"] for b in range(20)]
        taken = [sum(state != FREE for state in cycle) for cycle in zip(*states, strict=True)]
        assert taken == wave[f"router_{name}.buffers_taken"]
        most = max(most, *taken)
    assert 4 < most <= 20


def receptions(wave: Wave, name: str) -> dict[tuple[int, int], str]:
    """The port by which a packet comes in, by the cycle in which it begins and its buffer."""
    ports = {port: (wave[f"router_{name}.{port}.use"], wave[f"router_{name}.{port}.buffer"]) for port in PORTS}
    return {(c, buffer[c]): port for port, (use, buffer) in ports.items() for c in starts(use, RECEIVING)}


def test_header_takes_12_cycles(wave: Wave) -> None:
    """From the first flit, which moves in the cycle of the grant; at the node's port after 80 of connection."""
    cycles = Counter()
    for name in NAMES.values():
        came_by = receptions(wave, name)
        for b in range(20):
            state = wave[f"router_{name}.buffer{b}.state"]
            for start, routed in zip(starts(state, ARRIVING), starts(state, WAITING), strict=False):
                cycles[came_by[start, b] == "local0", routed - start + 1] += 1
    assert set(cycles) == {(True, 80 + 12), (False, 12)}
    assert min(cycles.values()) > 100


def test_links_are_half_duplex_and_alternate(wave: Wave) -> None:
    clashes = 0
    for here, name in NAMES.items():
        for port, step in STEP.items():
            ends = (f"router_{name}.{port}", f"router_{NAMES[(here + step) % ROUTERS]}.{BACK[port]}")
            uses = list(zip(*(wave[f"{end}.use"] for end in ends), strict=True))
            assert set(uses) <= {(IDLE, IDLE), (SENDING, RECEIVING), (RECEIVING, SENDING)}
            last = None  # the end that sent last
            for cycle, (before, after) in enumerate(pairwise(uses), 1):
                if before != (IDLE, IDLE) or after == (IDLE, IDLE):
                    continue
                sender = after.index(SENDING)
                if all(wave[f"{end}.offer"][cycle] for end in ends) and last is not None:
                    assert sender != last, f"{ends} in cycle {cycle}"
                    clashes += 1
                last = sender
                assert [wave[f"{end}.sent_last"][cycle] for end in ends] == [sender == 0, sender == 1]
    assert clashes > 30


def test_refusals_show(wave: Wave) -> None:
    """The node's port is busy waiting while the router holds a waiting packet of the same message, pool not full."""
    refused = 0
    for name in NAMES.values():
        waiting = wave[f"router_{name}.local0.busy_waiting"]
        assert not any(w and use != IDLE for w, use in zip(waiting, wave[f"router_{name}.local0.use"], strict=True))
        full = [taken == 20 for taken in wave[f"router_{name}.buffers_taken"]]
        refused += sum(w and not f for w, f in zip(waiting, full, strict=True))
    assert refused > 1000
