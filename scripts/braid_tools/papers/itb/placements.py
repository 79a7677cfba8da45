"""How far the search for few in-transit buffers ("minimum") is from the fewest: an integer program proves these on 16
switches and bounds them from below on one network of 32."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields

from braid_tools.comparison import Kind, Row
from braid_tools.papers.itb.points import BALANCED, BSMART, EXPERIMENT, RANDOM
from braid_tools.program import BraidError, Run, braid, in_parallel
from braid_tools.study import Study

FEWEST_SECONDS = 120.0
PATHS = (BALANCED, BSMART, RANDOM)
BOUNDED = {16: 10, 32: 1}  # so many topologies of a size: beyond, bounds say little for their time
MOST_OVER = 1.05
BOUND = re.compile(r"no placement has fewer than (\d+) buffers")


@dataclass(frozen=True)
class Placement:
    """Buffers on the paths of all pairs of switches of one network: a row of the files."""

    switches: int
    topology: int
    paths: str
    minimum: int
    violations: int  # a rest wherever a path breaks the rule of up*/down*
    fewest: int | None  # or the bound; none where it was not asked for
    proven: bool


def buffers(run: Run) -> int:
    """On the paths of all pairs."""
    check = json.loads(braid("paths", run.experiment, *run.arguments(), "--check", "--quiet", "--json", "-"))[
        "path_check"
    ]
    return round(check["in_transit_mean"] * check["pairs"])


def placed(study: Study, switches: int, instance: int, name: str, paths: str) -> Placement:
    """What each placement takes; kept."""
    keys = {"topology.switches": switches, "topology.instance": instance, "routing.paths": paths}

    def with_placement(placement: str, **more: float) -> Run:
        settings = keys | {"routing.in_transit": placement} | {f"routing.{key}": value for key, value in more.items()}
        return Run(f"{switches}/{instance} {paths} {placement}", EXPERIMENT, settings)

    def fewest() -> list[int]:
        try:
            return [buffers(with_placement("fewest", fewest_seconds=FEWEST_SECONDS)), 1]
        except BraidError as error:
            bound = BOUND.search(str(error))
            if bound is None:
                raise
            return [int(bound[1]), 0]

    here = f"{switches} {instance} {paths}"
    found = study.kept(
        f"placements {here}", [EXPERIMENT], lambda: [buffers(with_placement(p)) for p in ("minimum", "up_down")]
    )
    if instance >= BOUNDED.get(switches, 0):
        return Placement(switches, instance, name, *found, None, proven=False)
    least, proven = study.kept(f"fewest {here}", [EXPERIMENT], fewest)
    return Placement(switches, instance, name, *found, least, proven=bool(proven))


def of_all(study: Study, sizes: Iterable[int], topologies: int) -> list[Placement]:
    """Of each size, computation of paths and topology; in placements.csv of the study."""
    points = [(switches, i, r.name, r.paths) for switches in sizes for r in PATHS for i in range(topologies)]
    found = in_parallel(lambda point: placed(study, *point), points)
    study.table("placements.csv", [column.name for column in fields(Placement)], map(astuple, found))
    return found


def over(found: Iterable[Placement]) -> float:
    """What the search has over the fewest, or over the bound (no less than over the fewest), all networks together."""
    asked = [(p.minimum, p.fewest) for p in found if p.fewest is not None]
    return sum(minimum for minimum, _ in asked) / sum(fewest for _, fewest in asked)


def groups(found: Sequence[Placement]) -> list[list[Placement]]:
    """One for each size and computation of paths."""
    keys = dict.fromkeys((p.switches, p.paths) for p in found)
    return [[p for p in found if (p.switches, p.paths) == key] for key in keys]


def placement_rows(study: Study, sizes: Iterable[int], topologies: int) -> list[Row]:
    """Of each size where there are bounds, and computation of paths."""
    rows = []
    for here in groups(of_all(study, (size for size in sizes if size in BOUNDED), topologies)):
        proven = sum(p.proven for p in here)
        asked = sum(p.fewest is not None for p in here)
        quantity = (
            f"in-transit buffers, {here[0].paths}, {here[0].switches} switches: the search's over the fewest "
            f"({proven} of {asked} proven, else over the bound)"
        )
        rows.append(Row("section 3.2", quantity, "1", MOST_OVER, over(here), 0.0, at_most=True, stated_kind=Kind.OWN))
    return rows
