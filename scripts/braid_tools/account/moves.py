"""Circuits that move while the program runs (docs/setup.md), checked from the packet log: every stream is whole and in
order, nothing of it is under way while its circuit is changed, and the figures of the moves are those of their list."""

from __future__ import annotations

from math import isclose
from statistics import fmean
from typing import Any

import numpy as np

from braid_tools.account.figures import Tree
from braid_tools.account.log import NEVER, Log


def check_moves(log: Log, results: Tree) -> list[str]:
    """Complaints; none if all is as it should be."""
    names = [edge["name"] for edge in results["stream"]["edges"]]
    complaints = []
    packets = [packets_of(log, number) for number in range(len(names))]
    for name, mine in zip(names, packets, strict=True):
        complaints += check_order(log, mine, name)
    for move in results["reroutes"]["list"]:
        complaints += check_move(log, packets[move["number"]], move, results["configuration"]["setup"])
    return complaints + check_figures(results["reroutes"])


def packets_of(log: Log, stream: int) -> np.ndarray:
    """The stream's packets on circuits by their position."""
    mine = np.flatnonzero((log.kind == "circuit") & (log.stream == stream))
    return mine[np.argsort(log.stream_packet[mine], kind="stable")]


def check_order(log: Log, packets: np.ndarray, name: str) -> list[str]:
    """Of a stream's packets none is missing, none twice, and each comes after the one before it."""
    if (log.stream_packet[packets] != np.arange(len(packets))).any():
        return [f"{name}: packets are missing, or there twice"]
    complaints = []
    for what in ("injected", "delivered"):
        cycles = log.column[what][packets]
        never = np.flatnonzero(cycles == NEVER)
        over = len(packets) if len(never) == 0 else int(never[0])
        if (cycles[over:] != NEVER).any():
            complaints.append(f"{name}: packet {over} was never {what}, and a later one was")
        if (np.diff(cycles[:over]) <= 0).any():
            complaints.append(f"{name}: not {what} in order")
    return complaints


def check_move(log: Log, packets: np.ndarray, move: Tree, options: Tree) -> list[str]:
    """All of a stream's packets made before it were at their destination before the search; none was made meanwhile."""
    before = packets[log.created[packets] <= move["stopped_cycle"]]
    after = packets[log.created[packets] > move["stopped_cycle"]]
    left, delivered = log.left_queue[before], log.delivered[before]
    empty = max([move["stopped_cycle"], *left.tolist()])
    search = move["torn_cycle"] + options["token_cycles"]
    least = search + 4 * move["links"] + 1
    stands = search + move["search_cycles"]
    rules: list[tuple[str, Any]] = [
        ("a packet was given to it and did not leave", (left != NEVER).all()),
        ("is empty with the last packet", empty == move["empty_cycle"]),
        ("a packet was under way when it was taken for torn down", (delivered != NEVER).all()),
        ("a packet came when it was torn down", (delivered <= move["torn_cycle"]).all()),
        ("the tear-down passed a link in less than two cycles", move["torn_cycle"] >= move["empty_cycle"] + 6),
        ("a packet was made while it stood still", (log.created[after] > move["resumed_cycle"]).all()),
        (
            "a flit was sent before it stood",
            (log.injected[after[:1]] >= move["resumed_cycle"] + 3).all() or not unsent(log, after),
        ),
        ("went on sooner than a search takes", move["resumed_cycle"] >= least),
        ("a search took what no search takes", (move["search_cycles"] - 4 * move["links"] - 1) % 4 == 0),
    ]
    if options["reroute"] == "each" and not move["on_avoided_link"]:
        rules.append(("did not go on with the end of its search", move["resumed_cycle"] == stands))
    where = f"{move['stream']}, stopped in cycle {move['stopped_cycle']}"
    return [f"{where}: {what}" for what, holds in rules if not holds]


def unsent(log: Log, packets: np.ndarray) -> bool:
    """Is the first of them on its way at all?"""
    return len(packets) > 0 and bool(log.injected[packets[0]] != NEVER)


def check_figures(reroutes: Tree) -> list[str]:
    """Counts and extremes from the list."""
    moves = reroutes["list"]
    still = [move["resumed_cycle"] - move["empty_cycle"] for move in moves]
    expected = {
        "moves": len(moves),
        "other_paths": sum(move["other_path"] for move in moves),
        "on_avoided_links": sum(move["on_avoided_link"] for move in moves),
        "min_standstill_cycles": min(still, default=0),
        "mean_standstill_cycles": fmean(still) if still else None,
        "max_standstill_cycles": max(still, default=0),
    }
    wrong = [key for key, value in expected.items() if not same(reroutes[key], value)]
    return [f"reroutes.{key} is {reroutes[key]}, not {expected[key]}" for key in wrong]


def same(a: float | None, b: float | None) -> bool:
    """Numbers as results are written, with ten digits."""
    return a == b or (a is not None and b is not None and isclose(a, b, rel_tol=1e-9))
