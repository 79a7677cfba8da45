"""hw/setup_sequencer.sv beside sequencer_reference.py: requests and registers in every cycle; the network that answers
is random, and takes requests when it likes."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from drawings import drawing
from resetting import reset
from sequencer_reference import ACKNOWLEDGE, DONE, PASSES, TEAR_DOWN, Draws, Request, Sequencer

STREAMS, NODES, LANES, RETRIES, TOKEN_CYCLES = 5, 4, 2, 3, 3  # parameters that cocotb_smoke gives it
SEARCHES = 3  # too
STREAM_BITS, LANE_BITS, STARTED_BITS = 3, 1, 2
RUNS = 80


async def begin(dut: Any, sources: list[int], destinations: list[int]) -> None:
    """Reset, table, start."""
    for pin in ("stream_write", "start", "request_ready", "outcome_valid", "outcome_success"):
        getattr(dut, f"{pin}_i").value = 0
    await reset(dut, cycles=1)
    for stream, (source, destination) in enumerate(zip(sources, destinations, strict=True)):
        dut.stream_write_i.value, dut.stream_index_i.value = 1, stream
        dut.stream_source_i.value, dut.stream_destination_i.value = source, destination
        await FallingEdge(dut.clk_i)
        assert not int(dut.request_valid_o.value)
        assert int(dut.state_o.value) == DONE
    dut.stream_write_i.value, dut.start_i.value, dut.streams_i.value = 0, 1, len(sources)
    await FallingEdge(dut.clk_i)
    dut.start_i.value = 0


def asked(dut: Any) -> Request | None:
    """The request on the pins."""
    if not int(dut.request_valid_o.value):
        return None
    if int(dut.request_all_o.value):
        return Request(int(dut.request_kind_o.value), 0, 0, 0, int(dut.request_search_o.value), 0)
    words = ("kind", "stream", "node", "lane", "search", "destination")
    return Request(*(int(getattr(dut, f"request_{word}_o").value) for word in words))


def registers(dut: Any, of: Sequencer) -> list[tuple[str, int, int]]:
    """Name, value on the pin, value of the reference; whatever is not the same."""
    started = int(dut.started_o.value)
    pairs = [
        ("state_o", int(dut.state_o.value), of.phase),
        ("order_o", int(dut.order_o.value), of.orders),
        ("standing_o", int(dut.standing_o.value), len(of.standing)),
        ("success_o", int(dut.success_o.value), int(of.success)),
        *(
            (f"started_o[{n}]", started >> (STARTED_BITS * n) & (2**STARTED_BITS - 1), of.started(n))
            for n in range(NODES)
        ),
    ]
    if of.phase == PASSES and len(of.standing) < len(of.order) and of.draws.left <= 1:
        pairs.append(("stream_o", int(dut.stream_o.value), of.order[len(of.standing)]))
    lanes = int(dut.lane_o.value)
    pairs += [(f"lane_o[{s}]", lanes >> (LANE_BITS * s) & (2**LANE_BITS - 1), lane) for s, lane in of.standing]
    return [pair for pair in pairs if pair[1] != pair[2]]


async def set_up(dut: Any, rng: random.Random, reference: Sequencer) -> tuple[int, int]:
    """Until all is done; how many requests were made, how many of them to forget."""
    finds, takes, made, answer_in = rng.choice((0.5, 0.9, 1.0)), rng.choice((0.3, 1.0)), 0, 0
    kind, after_end, forgot = None, 0, 0
    for cycle in range(5000):
        answer = None
        if kind is not None:
            answer_in -= 1
            if answer_in == 0:
                answer, kind = kind == TEAR_DOWN or rng.random() < finds, None
        ready = rng.random() < takes
        dut.outcome_valid_i.value, dut.outcome_success_i.value = int(answer is not None), int(bool(answer))
        dut.request_ready_i.value = int(ready)
        await Timer(1, "ns")
        wrong = registers(dut, reference)
        assert not wrong, f"cycle {cycle}: {wrong}"
        expected, got = reference.step(ready=ready, outcome=answer), asked(dut)
        assert got == expected, f"cycle {cycle}: {got}, the reference {expected}"
        if got and ready:
            made, kind, answer_in = made + 1, got.kind, rng.choice((1, 2, 9))
            if kind == ACKNOWLEDGE:
                kind, forgot = None, forgot + 1
        await FallingEdge(dut.clk_i)
        after_end += reference.phase == DONE
        if after_end == 3:
            return made, forgot
    raise AssertionError("set-up does not end")


@cocotb.test()
async def requests_are_those_of_the_reference(dut: Any) -> None:
    """Streams at random; of the runs some succeed at once, some in a later order, some never."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    rng = random.Random("sequencer")
    ends = {"at once": 0, "later": 0, "never": 0}
    made = forgot = 0
    for _ in range(RUNS):
        count = rng.randint(0, STREAMS)
        sources = [rng.randrange(NODES) for _ in range(count)]
        destinations = [rng.getrandbits(16) for _ in range(count)]
        await begin(dut, sources, destinations)
        reference = Sequencer(sources, destinations, LANES, RETRIES, TOKEN_CYCLES, Draws(STREAM_BITS), SEARCHES)
        requests, anew = await set_up(dut, rng, reference)
        made, forgot = made + requests, forgot + anew
        ends["never" if not reference.success else "at once" if reference.orders == 1 else "later"] += 1
    assert min(ends.values()) >= 5, ends
    assert made > 300
    assert forgot > 25


@cocotb.test()
async def a_set_up_has_the_cycles_drawn(dut: Any) -> None:
    """The drawing of the sequencer in hw/README.md, whose token takes a cycle; this one's takes TOKEN_CYCLES."""
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    await begin(dut, [0, 1], [2, 3])
    pins = drawing("sequencer")
    late, answers, out = 0, set(pins["outcome_valid_i"]), {"request_valid_o": {}, "success_o": {}}
    dut.request_ready_i.value = 1
    for cycle in range(30):
        answer = cycle - late in answers
        answers.discard(cycle - late)
        dut.outcome_valid_i.value = dut.outcome_success_i.value = int(answer)
        await Timer(1, "ns")
        if int(dut.request_valid_o.value):
            out["request_valid_o"][cycle - late] = "P"
        if int(dut.success_o.value):
            out["success_o"][cycle - late] = "1"
            break
        late += (TOKEN_CYCLES - 1) * answer
        await FallingEdge(dut.clk_i)
    assert out == {pin: pins[pin] for pin in out}
