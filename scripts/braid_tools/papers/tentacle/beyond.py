"""Beyond tentacle-routing: coherence-like packets beside the streams, larger meshes, programs side by side
(docs/tentacle-beyond.md). By themselves: beyond_tables.py."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from braid_tools.comparison import Row
from braid_tools.papers.tentacle import beyond_large, beyond_packet_rows, beyond_packets, beyond_side
from braid_tools.papers.tentacle.published import BENCHMARKS, SIZES
from braid_tools.papers.tentacle.stages import Stages
from braid_tools.study import Study


def packets(study: Study) -> list[Row]:
    """Writes beside.csv and packets.csv."""
    measured = beyond_packets.measure(study, beyond_packets.standing(study, BENCHMARKS, SIZES))
    study.table("beside.csv", beyond_packets.COLUMNS, beyond_packets.table(measured))
    study.table("packets.csv", beyond_packet_rows.SUMMARY, beyond_packet_rows.summary(measured))
    return beyond_packet_rows.rows(measured)


def large(study: Study, size: int) -> list[Row]:
    """Writes large_8x8.csv or large_16x16.csv."""
    measured = beyond_large.measure(study, size)
    study.table(f"large_{size}x{size}.csv", beyond_large.COLUMNS, beyond_large.table(measured))
    return beyond_large.rows(measured)


def side_by_side(study: Study) -> list[Row]:
    """Writes side.csv."""
    measured = beyond_side.measure(study)
    study.table("side.csv", beyond_side.COLUMNS, beyond_side.table(measured))
    return beyond_side.rows(measured)


PARTS: dict[str, Callable[[Study], list[Row]]] = {
    "packets": packets,
    **{f"{size}x{size}": partial(large, size=size) for size in beyond_large.SIZES},
    "side": side_by_side,
}


def rows_beyond(study: Study, stages: Stages | None = None, only: str = "") -> list[Row]:
    """Every row; what each part costs goes to `stages`."""
    stages = stages or Stages()
    found = []
    for name, part in PARTS.items():
        if only in ("", name):
            with stages.stage(f"beyond the paper: {name}"):
                found += part(study)
    return found
