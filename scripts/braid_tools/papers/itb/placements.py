"""How far the search for few in-transit buffers ("minimum") is from the fewest: an integer program proves these where
it can in FEWEST_SECONDS, and elsewhere bounds them from below."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from braid_tools.comparison import Kind, Row
from braid_tools.papers.itb.points import BALANCED, BSMART, EXPERIMENT, RANDOM
from braid_tools.program import BraidError, Run, braid, in_parallel
from braid_tools.study import Study

FEWEST_SECONDS = 120.0
PATHS = (BALANCED, BSMART, RANDOM)
MOST_OVER = 1.1
BOUND = re.compile(r"no placement has fewer than (\d+) buffers")


@dataclass(frozen=True)
class Placement:
    """Buffers on the paths of all pairs of switches of one network."""

    switches: int
    instance: int
    routing: str
    minimum: int
    violations: int  # a rest wherever a path breaks the rule of up*/down*
    fewest: int  # or the bound
    proven: bool

    @property
    def over(self) -> float:
        """What the search has over the fewest, or over the bound: no less than over the fewest."""
        return self.minimum / self.fewest


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

    def make() -> list[int]:
        return [buffers(with_placement("minimum")), buffers(with_placement("up_down")), *fewest()]

    minimum, violations, least, proven = study.kept(f"placements {switches} {instance} {paths}", [EXPERIMENT], make)
    return Placement(switches, instance, name, minimum, violations, least, bool(proven))


def placement_rows(study: Study, sizes: Iterable[int], topologies: int) -> list[Row]:
    """Of each size and computation of paths the mean over topologies; every network in placements.csv."""
    points = [(switches, i, r.name, r.paths) for switches in sizes for r in PATHS for i in range(topologies)]
    found = in_parallel(lambda point: placed(study, *point), points)
    columns = ["switches", "topology", "paths", "minimum", "violations", "fewest or bound", "proven"]
    lines = [[p.switches, p.instance, p.routing, p.minimum, p.violations, p.fewest, p.proven] for p in found]
    study.table("placements.csv", columns, lines)
    rows = []
    for switches in dict.fromkeys(p.switches for p in found):
        for routing in PATHS:
            here = [p for p in found if (p.switches, p.routing) == (switches, routing.name)]
            proven = sum(p.proven for p in here)
            quantity = (
                f"in-transit buffers, {routing.name}, {switches} switches: the search's over the fewest "
                f"({proven} of {len(here)} proven, else over the bound)"
            )
            over = statistics.fmean(p.over for p in here)
            rows.append(Row("section 3.2", quantity, "1", MOST_OVER, over, 0.0, at_most=True, stated_kind=Kind.OWN))
    return rows
