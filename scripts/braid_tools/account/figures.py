"""Figures of the classes and the messages, computed from a packet log."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from braid_tools.account.log import NEVER, Log, Window, at_rank, percentile, value_class
from braid_tools.account.verdicts import Batches, by_batch, starvation

Tree = dict[str, Any]
SHARES = {"p50": Fraction(50, 100), "p95": Fraction(95, 100), "p99": Fraction(99, 100), "p99_9": Fraction(999, 1000)}
MOST_SECTIONS = 64


@dataclass(frozen=True)
class HalfWidth:
    """Of a confidence interval; rounding of the batch means, which are of the size of `mean`, is forgiven."""

    value: float | None
    mean: float
    reliable: bool = True


def interval(sums: list[Fraction], counts: list[int], mean: Fraction | None) -> HalfWidth:
    """Of batch means; none that cannot be relied on."""
    if not any(counts):
        return HalfWidth(None, 0.0)
    found = Batches(sums, counts)
    return HalfWidth(found.printed() if found.reliable else None, float(mean or 0), found.reliable)


def ratio(total: int | np.integer, count: int | np.integer) -> Fraction:
    """A mean; 0 of nothing."""
    return Fraction(int(total), int(count)) if count else Fraction(0)


def mean_of(total: int | np.integer, count: int | np.integer) -> Fraction | None:
    """A mean; of nothing there is none."""
    return Fraction(int(total), int(count)) if count else None


def estimate(values: np.ndarray, batch: np.ndarray, batches: int, unit: int = 1) -> Tree:
    """Mean over all values in units of 1/unit; the interval from the means of the batches that have any."""
    of_batch = [values[batch == number] for number in range(batches)]
    mean = mean_of(values.sum(), len(values) * unit)
    sums = [Fraction(int(mine.sum()), unit) for mine in of_batch]
    return {"mean": mean, "half_width_95": interval(sums, [len(mine) for mine in of_batch], mean)}


def rate(events: np.ndarray, batch: np.ndarray, batches: int, per: Fraction) -> Tree:
    """Sum of events a batch over `per`, its mean and interval."""
    sums = [int(events[batch == number].sum()) / per for number in range(batches)]
    mean = sum(sums, Fraction(0)) / len(sums)
    return {"mean": mean, "half_width_95": interval(sums, [1] * len(sums), mean)}


def distribution(values: np.ndarray) -> Tree:
    """Count, extremes, mean and percentiles."""
    if not len(values):
        return {"count": 0} | dict.fromkeys(("min", "mean", *SHARES, "max"))
    ordered = np.sort(values)
    return {
        "count": len(values),
        "min": int(ordered[0]),
        "mean": ratio(values.sum(), len(values)),
        **{name: percentile(ordered, share) for name, share in SHARES.items()},
        "max": int(ordered[-1]),
    }


def percentile_intervals(values: np.ndarray, batch: np.ndarray, batches: int) -> Tree:
    """Of each percentile: what the share of values not above it, give or take the half-width of its interval, leads
    to. None where the mean's cannot be relied on, or where most sections do not come to it."""
    result: Tree = {f"{name}_{end}": None for name in SHARES for end in ("low", "high")}
    if not len(values) or estimate(values, batch, batches)["half_width_95"] is None:
        return result | {"not_reliable": " ".join(SHARES)}
    ordered = np.sort(values)
    section, sections = sections_of(batch, batches)
    counts = np.bincount(section, minlength=sections)
    for name, share in SHARES.items():
        value = percentile(ordered, share)
        first, width = value_class(value)
        below = np.bincount(section[values < first + width], minlength=sections)
        found = Batches([Fraction(int(n)) for n in below], counts.tolist())
        by_chance = math.sqrt(share * (1 - share) / len(values))
        half = found.printed(least_error=by_chance) if found.reliable else None
        reached = len(np.unique(section[values >= value]))
        if half is None or 2 * reached < sections:
            continue
        low, high = math.floor(len(values) * (share - half)), math.ceil(len(values) * (share + half))
        if low >= 1 and high <= len(values):
            result |= {f"{name}_low": at_rank(ordered, low), f"{name}_high": at_rank(ordered, high)}
    result["not_reliable"] = " ".join(name for name in SHARES if result[f"{name}_low"] is None)
    return result


def sections_of(batch: np.ndarray, batches: int) -> tuple[np.ndarray, int]:
    """At most 64 of equal length, by doubling; of batches left over at the end the last one has more."""
    width = 1
    while batches > MOST_SECTIONS * width:
        width *= 2
    sections = max(1, batches // width)
    return np.minimum(batch // width, sections - 1), sections


def classes(log: Log, window: Window, nodes: int, present: list[str], asked: Tree) -> list[Tree]:
    """Every class of packets that the experiment can have and that did anything while measuring; `asked` is the
    section [results] of the configuration."""
    result = []
    for name in present:
        mine = log.packet_class == name
        if (mine & (window.holds(log.created) | window.holds(log.left_queue) | window.holds(log.delivered))).any():
            result.append(one_class(name, log, mine, window, nodes))
            measured = mine & window.holds(log.created) & (log.delivered != NEVER)
            if asked["histograms"]:
                result[-1]["packet_latency_histogram_cycles"] = histogram((log.delivered - log.created)[measured])
            if asked["flows"]:
                result[-1]["flows"] = flows(log, measured)
            if asked["batches"]:
                result[-1]["batches"] = batches(log, mine, measured, window)
    return result


def batches(log: Log, mine: np.ndarray, measured: np.ndarray, window: Window) -> Tree:
    """What was made, what came, and how long it took, batch by batch of the window."""
    born, came = mine & window.holds(log.created), mine & window.holds(log.delivered)
    made_in, measured_in = window.batch_of(log.created[born]), window.batch_of(log.created[measured])

    def total(values: np.ndarray) -> list[int]:
        return [int(values[measured][measured_in == b].sum()) for b in range(window.batches)]

    return {
        "created_packets": [int((made_in == b).sum()) for b in range(window.batches)],
        "created_flits": by_batch(log, born, log.created, window),
        "delivered_flits": by_batch(log, came, log.delivered, window),
        "packets": total(np.ones(len(log), dtype=np.int64)),
        "latency_sum_cycles": total(log.delivered - log.created),
        "network_latency_sum_cycles": total(log.delivered - log.injected),
    }


def histogram(latency: np.ndarray) -> Tree:
    """Latencies that occurred, in classes as wide as those of the percentiles, and how often."""
    counts: dict[tuple[int, int], int] = {}
    for value in latency.tolist():
        first, width = value_class(value)
        counts[first, first + width - 1] = counts.get((first, first + width - 1), 0) + 1
    ordered = sorted(counts)
    return {
        "first_cycle": [first for first, _ in ordered],
        "last_cycle": [last for _, last in ordered],
        "packets": [counts[key] for key in ordered],
    }


def flows(log: Log, measured: np.ndarray) -> list[Tree]:
    """Latency by source, destination and stream."""
    result = []
    keys = list(zip(log.source.tolist(), log.destination.tolist(), log.stream.tolist(), strict=True))
    latency = log.delivered - log.created
    members: dict[tuple[int, int, int], list[int]] = {}
    for i in np.flatnonzero(measured).tolist():
        members.setdefault(keys[i], []).append(i)
    for source, destination, stream in sorted(members):
        mine = members[source, destination, stream]
        took = latency[mine]
        flow: Tree = {"source_node": source, "destination_node": destination}
        if stream != NEVER:
            flow["stream"] = stream
        flow["flits"] = int(log.flits[mine].sum())
        flow["latency_cycles"] = {
            "count": len(mine),
            "min": int(took.min()),
            "mean": ratio(took.sum(), len(mine)),
            "max": int(took.max()),
        }
        result.append(flow)
    return result


def one_class(name: str, log: Log, mine: np.ndarray, window: Window, nodes: int) -> Tree:
    """The figures of one class."""
    cycles = window.cycles
    born = mine & window.holds(log.created)
    measured = born & (log.delivered != NEVER)
    arrived = mine & window.holds(log.delivered)
    left = mine & window.holds(log.left_queue)
    batch = window.batch_of(log.created[measured])
    latency = (log.delivered - log.created)[measured]
    network = (log.delivered - log.injected)[measured]
    delivered_by = np.bincount(log.destination[arrived], log.flits[arrived], nodes).astype(int)
    injected_by = np.bincount(log.source[left], log.flits[left], nodes).astype(int)
    senders = sorted(set(log.source[mine].tolist()))
    sent = [int(injected_by[node]) for node in senders]
    per_batch = Fraction(window.batch * nodes)
    result: Tree = {
        "name": name,
        "offered_flits_per_node_cycle": ratio(log.flits[born].sum(), nodes * cycles),
        "accepted_flits_per_node_cycle": rate(
            log.flits[arrived], window.batch_of(log.delivered[arrived]), window.batches, per_batch
        ),
        "packet_latency_cycles": estimate(latency, batch, window.batches),
        "network_latency_cycles": estimate(network, batch, window.batches),
        "queue_latency_mean_cycles": mean_of((latency - network).sum(), len(latency)),
        "packet_latency_distribution_cycles": distribution(latency),
        "packet_latency_percentile_intervals_cycles": percentile_intervals(latency, batch, window.batches),
        "hops_mean_links": mean_of(
            log.links_passed[measured].sum(), len(latency) if log.routers[measured].any() else 0
        ),
        "starvation": starvation(log, mine, window, nodes),
        "delivered_flits_per_cycle_over_nodes": spread(delivered_by, cycles),
        "injected_flits_per_cycle_over_nodes": spread(injected_by, cycles),
        "delivered_flits_per_cycle_by_node": [ratio(flits, cycles) for flits in delivered_by],
        "injected_flits_per_cycle_by_node": [ratio(flits, cycles) for flits in injected_by],
        "injected_packets_by_node": np.bincount(log.source[left], minlength=nodes).tolist(),
    }
    if senders:
        squares = sum(flits * flits for flits in sent)
        result["injection_spread_flits_per_cycle"] = {
            "nodes": len(senders),
            **spread(np.array(sent), cycles),
            "jain_index": Fraction(sum(sent) ** 2, len(sent) * squares) if squares else None,
        }
    return result


def spread(flits: np.ndarray, cycles: int) -> Tree:
    """Least, mean and most over nodes."""
    return {
        "min": ratio(flits.min(), cycles),
        "mean": ratio(flits.sum(), len(flits) * cycles),
        "max": ratio(flits.max(), cycles),
    }


def messages(log: Log, window: Window) -> Tree:
    """Messages born while measuring, from their packets."""
    members_of: dict[tuple[int, int], list[int]] = {}
    for i in np.flatnonzero(log.message != NEVER):
        members_of.setdefault((int(log.source[i]), int(log.message[i])), []).append(int(i))
    created, rows = 0, []
    for members in members_of.values():
        born = int(log.created[members].min())
        if not window.begin <= born < window.end:
            continue
        created += 1
        length = int(log.message_packets[members[0]])
        if len(members) == length and all(log.delivered[members] != NEVER):
            end = int(log.delivered[members].max())
            inside = int((log.delivered - log.injected)[members].sum())
            rows.append((born, length, bool(log.priority[members[0]]), end - born, inside))
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    born, length, priority, latency, inside = table.T
    normalized = latency * 65536 // np.maximum(length, 1)
    by_length = []
    for first, packets_each in sorted(set(zip(priority.tolist(), length.tolist(), strict=True))):
        mine = (length == packets_each) & (priority == first)
        by_length.append(
            {
                "packets": packets_each,
                "priority": bool(first),
                "messages": int(mine.sum()),
                "latency_mean_cycles": ratio(latency[mine].sum(), mine.sum()),
                "network_latency_mean_cycles": ratio(inside[mine].sum(), mine.sum() * packets_each),
            }
        )
    return {
        "created": created,
        "delivered": len(rows),
        "normalized_latency_cycles": estimate(normalized, window.batch_of(born), window.batches, 65536),
        "latency_distribution_cycles": distribution(latency),
        "by_length": by_length,
    }
