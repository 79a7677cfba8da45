"""Disjoint circuits where an actor has more streams than its tile has links: with which remedy they stand.

Remedies in the order tried: none; at most 4, 3 or 2 streams an actor (stream.degree) on MIT's layout; the same on a
layout that Braid anneals with a cost on streams without a disjoint path ("retrying the routing problem after modifying
the layout", section 2.2), last with five times the moves. Whether circuits stand is what the routers' own set-up says,
in at most 201 orders.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.networks import EXPERIMENT
from braid_tools.papers.tentacle.own_graphs import for_fewer_tiles
from braid_tools.papers.tentacle.points import Setting, circuit_keys, queue_items
from braid_tools.papers.tentacle.programs import program, write_variant
from braid_tools.program import BraidError, Run, braid, in_parallel
from braid_tools.study import Study

MOVES = 100_000  # of annealing: Braid's default
DISJOINT_WEIGHT = 200  # of a layout's cost: a stream without a path weighs as much as 200 items a link further


@dataclass(frozen=True)
class Remedy:
    """At most `degree` streams an actor (0: any number), on the tiles as they are or on another layout of Braid's, of a
    program partitioned by Braid for so many eighths of the mesh's tiles."""

    degree: int
    own_layout: bool
    moves: int = MOVES  # of annealing
    eighths: int = 8

    @property
    def name(self) -> str:
        """As tables say it."""
        said = [f"at most {self.degree} streams an actor"] if self.degree else []
        said += [f"partitioned for {self.eighths}/8 of the tiles"] if self.eighths < 8 else []
        said += [f"Braid's layout of {self.moves:,} moves"] if self.own_layout else []
        return ", ".join(said) or "none"

    def keys(self) -> dict[str, Any]:
        """Braid's, for the search."""
        return {"stream.degree": self.degree, "stream.moves": self.moves, "stream.disjoint_weight": DISJOINT_WEIGHT}


# Where streams of other rates join, a queue that holds the program's own firings may be too small for the joined ones:
# then the search, too, takes as much room as a firing needs.
ANY_ROOM = {"interface.stream_queue_items": 0}
ON_TILES = tuple(Remedy(degree, own_layout=False) for degree in (0, 4, 3, 2))
REMEDIES = ON_TILES + tuple(Remedy(degree, own_layout=True) for degree in (4, 3, 2))
REMEDIES += (Remedy(2, own_layout=True, moves=500_000),)
FEWER_TILES = tuple(Remedy(d, own_layout=True, eighths=e) for e in (7, 6, 5, 4) for d in (0, 4, 3, 2))
ALL = REMEDIES + FEWER_TILES
Tried = dict[Remedy, dict[str, Any]]  # what the set-up says, by remedy


def set_up(study: Study, setting: Setting, remedy: Remedy, keys: dict[str, Any] | None = None) -> dict[str, Any]:
    """What `braid paths` says: `actors` with their nodes, `streams`, `setup`; `steady_states` of the setting's graph in
    one of this. A graph that cannot be bounded: `why`."""
    graph = sized = setting.graph  # its queues have room for all
    steady_states = 1.0
    if remedy.eighths < 8:
        graph, steady_states = for_fewer_tiles(study, setting.benchmark, setting.size, remedy.eighths)
        sized = graph
    elif remedy.own_layout:
        graph = write_variant(graph, study.folder / f"free_{graph.name}", keep_tiles=False)
    all_keys = {
        "topology.width": setting.size,
        "topology.height": setting.size,
        "topology.local_ports": setting.bandwidth,
        "stream.graph": graph,
        "interface.stream_queue_items": queue_items(program(sized, setting.size)),
        **circuit_keys(setting),
        **remedy.keys(),
        **(keys or {}),
    }
    arguments = Run("", EXPERIMENT, all_keys).arguments()
    out = study.folder / f"paths_{graph.stem}_{remedy.degree}_{remedy.moves}.json"

    def make() -> dict[str, Any]:
        try:
            braid("paths", EXPERIMENT, *arguments, "--json", out)
        except BraidError as error:
            return {"setup": {"fell_back_to_packets": True}, "why": str(error)}
        found = json.loads(out.read_text())
        out.unlink()
        return found

    return study.kept(f"paths {' '.join(arguments)}", [EXPERIMENT, graph], make) | {"steady_states": steady_states}


def placed(study: Study, setting: Setting, remedy: Remedy, found: dict[str, Any]) -> Path | None:
    """The graph with the remedy's splitters, joiners and relays, every actor on the tile that was found for it. Of
    another reading of the program (equal streams) the same, with its own rates; none if its streams join otherwise."""
    if remedy.degree == 0 and remedy.eighths == 8:
        return setting.graph
    tiles = {actor["name"]: actor["node"] for actor in found["actors"]}
    own = found if found["graph"] == setting.graph else set_up(study, setting, remedy, {"stream.moves": 0})
    if {actor["name"] for actor in own.get("actors", [])} != set(tiles):
        return None
    lines = [f'name = "{setting.graph.stem}"']
    for a in own["actors"]:
        lines += ["[[actor]]", f'name = "{a["name"]}"', f"work = {a['work']}", f"tile = {tiles[a['name']]}"]
    for s in own["streams"]:
        lines += ["[[edge]]", *(f"{key} = {json.dumps(value)}" for key, value in s.items())]
    target = study.folder / f"placed_{setting.graph.name}"
    target.write_text("\n".join(lines) + "\n")
    return target


def first_that_stands(
    study: Study, setting: Setting, remedies: Iterable[Remedy] = REMEDIES, keys: dict[str, Any] | None = None
) -> Tried:
    """Remedies up to the first with circuits for all streams."""
    tried: Tried = {}
    for remedy in remedies:
        tried[remedy] = set_up(study, setting, remedy, keys) | {"graph": setting.graph}
        if not tried[remedy]["setup"]["fell_back_to_packets"]:
            break
    return tried


def stands(tried: Tried) -> Remedy | None:
    """The remedy that gave circuits."""
    return next((remedy for remedy, found in tried.items() if not found["setup"]["fell_back_to_packets"]), None)


def try_all(
    study: Study, settings: list[Setting], *, partitions: bool = False, keys: dict[str, Any] | None = None
) -> dict[Setting, Tried]:
    """All programs, with other partitions where they are Braid's own; the quick form stays on MIT's tiles. `keys`:
    of Braid, beside the remedy's."""
    remedies = ON_TILES if study.quick else ALL if partitions else REMEDIES
    found = in_parallel(lambda setting: first_that_stands(study, setting, remedies, keys), settings)
    return dict(zip(settings, found, strict=True))


def table(tried: dict[Setting, Tried], graphs: str) -> list[list[object]]:
    """remedies.csv: a line a program and remedy; whose graphs they are."""
    lines = []
    for setting, found in tried.items():
        for remedy, said in found.items():
            setup = said["setup"]
            circuits = [c["setup_cycles"] for c in setup.get("circuits", [])]
            verdict = "circuits" if circuits else said.get("why") or f"none: {setup['failed_stream']}"
            times = [min(circuits), max(circuits), sum(circuits) / len(circuits)] if circuits else ["", "", ""]
            counts = [len(said.get(what, [])) for what in ("actors", "streams")]
            lines.append(
                [graphs, setting.benchmark, setting.size, remedy.name, *counts, verdict, setup.get("orders_tried", "")]
            )
            lines[-1] += [*times, setup.get("total_cycles", "")]
    return lines


COLUMNS = ["graphs", "benchmark", "size", "remedy", "actors", "streams", "verdict", "orders"]
COLUMNS += ["min", "max", "average", "total"]
