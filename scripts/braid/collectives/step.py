"""What came of a trace: time, what hid what, how fast collectives were, how full links were."""

from __future__ import annotations

from typing import Any

from braid.collectives.machine import Machine, Times

MOST_LINKS = 5  # of the table


def figures(machine: Machine) -> dict[str, Any]:
    """For JSON. Times in cycles but `micros`; loads in flits/cycle over the whole step, each way of a link apart."""
    cycles, settings = machine.now, machine.settings
    return {
        "cycles": cycles,
        "micros": cycles / settings.clock_ghz / 1000,
        "ranks": [_of_rank(rank.times) for rank in machine.ranks],
        "collectives": [
            {
                "name": one.name,
                "operation": one.key.operation,
                "algorithm": one.algorithm,
                "ranks": len(one.ranks),
                "bytes": one.key.size,
                "first_start": one.first_start,
                "last_end": one.last_end,
                "bytes_per_cycle": one.key.size / max(1, one.last_end - one.first_start),
            }
            for one in machine.collectives
        ],
        "links": loads(machine),
        "packets": machine.transfers.packets,
        "flits": machine.transfers.flits,
        "other_packets": machine.network.packets_sent - machine.transfers.packets,
        "operations": machine.operations,
        "operations_without_time": machine.without_time,
    }


def _of_rank(times: Times) -> dict[str, float]:
    return {
        "computed": times.computed + times.both,
        "communicated": times.both + times.exposed,
        "exposed": times.exposed,
        "idle": times.idle,
        "overlap": times.overlap,
    }


def loads(machine: Machine) -> list[dict[str, Any]]:
    """Of all links, the fullest first."""
    topology, flits = machine.network.topology, machine.network.link_flits
    cycles = max(1, machine.network.now)
    found = [
        {
            "from": topology["routers"][link["from"]],
            "to": topology["routers"][link["to"]],
            "load": float(flits[link["from"], link["port"]]) / cycles,
        }
        for link in topology["links"]
    ]
    return sorted(found, key=lambda link: (-link["load"], link["from"], link["to"]))


def lines(found: dict[str, Any]) -> list[str]:
    """What the command prints before its tables."""
    ranks = found["ranks"]
    exposed = [rank["exposed"] for rank in ranks]
    overlap = [rank["overlap"] for rank in ranks]
    said = [
        f"{found['operations']} operations of {len(ranks)} ranks: {found['cycles']} cycles, {found['micros']:.4g} us",
        f"  computing {_span([rank['computed'] for rank in ranks])} cycles a rank, communication that it does not hide "
        f"{_span(exposed)}, idle {_span([rank['idle'] for rank in ranks])}",
        f"  hidden by computing: {100 * min(overlap):.1f} to {100 * max(overlap):.1f} % of the communication",
    ]
    if found["operations_without_time"]:
        said.append(
            f"  {found['operations_without_time']} operations have no time in the trace (--tflops, --memory-gbps)"
        )
    if found["other_packets"]:
        said.append(f"  beside {found['other_packets']} packets of the experiment's own traffic")
    return said


def _span(values: list[int]) -> str:
    return f"{min(values)}" if min(values) == max(values) else f"{min(values)} to {max(values)}"


def collectives_table(found: dict[str, Any]) -> Any:
    """A line for each kind: as a step may have hundreds of the same."""
    from rich.table import Table

    table = Table("collective", "algorithm", "ranks", "bytes", "times", "cycles, mean", "bytes/cycle")
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for one in found["collectives"]:
        kind = one["operation"], one["algorithm"], one["ranks"], one["bytes"]
        kinds.setdefault(kind, []).append(one["last_end"] - one["first_start"])
    for (operation, algorithm, ranks, size), took in kinds.items():
        mean = sum(took) / len(took)
        rate = f"{size / mean:.3g}" if mean else ""
        table.add_row(operation, algorithm, str(ranks), str(size), str(len(took)), f"{mean:.1f}", rate)
    return table


def links_table(found: dict[str, Any]) -> Any:
    """The fullest."""
    from rich.table import Table

    table = Table("fullest links", "flits/cycle")
    for link in found["links"][:MOST_LINKS]:
        table.add_row(f"{link['from']} -> {link['to']}", f"{link['load']:.3f}")
    return table
