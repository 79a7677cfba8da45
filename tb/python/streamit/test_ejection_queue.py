"""Queues of finite depth for pushed streams (interface.ejection_queue_items) against a recurrence of their own.

Two actors, one stream, one VC: packets come in their order. The reference knows when each packet's tail comes if
nothing is in its way (a run without a bound), what a firing sees and takes, and how long it lasts. From these it says
in which cycle each tail is taken behind a queue of N items, and Braid's packet log must say the same.
"""

import csv
from pathlib import Path

import pytest
from braid_tools.program import braid

FLITS = 4  # of every packet
CYCLES = 3000


def arrivals(folder: Path, work: int, pop: int, peek: int, queue_items: int) -> list[int]:
    """Cycles in which packets' tails are the consumer's, by the packet log."""
    graph = folder / "pair.toml"
    graph.write_text(
        'name = "pair"\n[[actor]]\nname = "a"\nwork = 4\ntile = 0\n'
        f'[[actor]]\nname = "b"\nwork = {work}\ntile = 1\n'
        f'[[edge]]\nfrom = "a"\nto = "b"\npush = {FLITS}\npop = {pop}\npeek = {peek}\n'
    )
    settings = {
        "topology.width": 2,
        "topology.height": 1,
        "router.vcs": 1,
        "stream.graph": f'"{graph}"',
        "stream.anneal": "false",
        "interface.packet_items": FLITS,
        "interface.ejection_queue_items": queue_items,
        "simulation.min_warmup_cycles": 0,
        "simulation.max_warmup_cycles": 1000,
        "simulation.measure_cycles": CYCLES - 1000,
        "simulation.max_drain_cycles": 0,
    }
    experiment = folder / "pair_experiment.toml"
    experiment.write_text("".join(f"{key} = {value}\n" for key, value in settings.items()))
    log = folder / "log.csv"
    braid("run", experiment, "--quiet", "--log", log)
    with log.open() as lines:
        rows = list(csv.DictReader(lines))
    assert {row["flits"] for row in rows} == {str(FLITS)}
    return [int(row["delivered"]) for row in rows if row["delivered"]]


def taken(free: list[int], work: int, pop: int, peek: int, queue_items: int) -> list[int]:
    """The recurrence. Of a cycle tails come first, then the consumer acts: it begins to compute as soon as it sees
    `peek` items and the firing before is over, and has taken `pop` then. A head goes in when the consumer has taken so
    much, in a cycle before, that all of its packet is among the first `peek` + `queue_items` items that are left; its
    tail is FLITS - 1 cycles behind, and the next head a cycle more.
    """
    room = peek + queue_items
    begun: list[int] = []  # cycles in which firings begin
    tails: list[int] = []
    for packet, tail in enumerate(free):
        end = (packet + 1) * FLITS  # items up to this packet's last
        wanted = max(0, -(-(end - room) // pop))  # firings that must have begun before
        while len(begun) < wanted:  # all that they see has come
            sees = begun_items(len(begun), pop, peek)
            earliest = tails[-(-sees // FLITS) - 1]
            begun.append(max(earliest, begun[-1] + work if begun else 0))
        after = begun[wanted - 1] + 1 if wanted else 0
        before = tails[-1] + 1 if tails else 0
        tails.append(max(tail, max(after, before) + FLITS - 1))
    return tails


def begun_items(firing: int, pop: int, peek: int) -> int:
    """Items of the stream that must be here for a firing, those taken before included."""
    return firing * pop + peek


CASES = [
    # work, pop, peek, queue_items
    (40, 4, 4, 3),
    (40, 4, 4, 4),
    (40, 4, 4, 16),
    (40, 4, 11, 5),
    (100, 12, 12, 8),
    (25, 3, 7, 9),
]


@pytest.mark.parametrize(("work", "pop", "peek", "queue_items"), CASES)
def test_tails_are_taken_when_the_recurrence_says(
    tmp_path: Path, work: int, pop: int, peek: int, queue_items: int
) -> None:
    free = arrivals(tmp_path, work, pop, peek, 0)
    expected = [cycle for cycle in taken(free, work, pop, peek, queue_items) if cycle < CYCLES]
    held = [cycle for cycle in arrivals(tmp_path, work, pop, peek, queue_items) if cycle < CYCLES]
    assert held == expected
    assert len(held) > 60
    assert held != free[: len(held)], "the queue was full"


def test_deep_enough_a_queue_changes_nothing(tmp_path: Path) -> None:
    free = arrivals(tmp_path, 40, 4, 4, 0)
    assert arrivals(tmp_path, 40, 4, 4, 4 * len(free)) == free
