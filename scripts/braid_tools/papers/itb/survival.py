"""Does every routing that Braid offers last beyond saturation: no deadlock, nothing lost? Not in the paper."""

from __future__ import annotations

from braid_tools.comparison import Row
from braid_tools.papers.itb.points import BALANCED, BSMART, RANDOM, SMART, UD, Network, Routing, Window, run_of
from braid_tools.papers.itb.tables import SIZES, UNIFORM
from braid_tools.papers.itb.throughputs import ByNetwork
from braid_tools.program import BraidError, Results
from braid_tools.study import Study

DFS = Routing("DFS", "dfs", "none")
PLACEMENTS = ("minimum", "up_down", "numbered", "every_switch")  # where paths close cycles
OFFERED = (
    UD,
    DFS,
    SMART,
    *(Routing(r.name, r.paths, placement) for r in (BSMART, RANDOM, BALANCED) for placement in PLACEMENTS),
)
BEYOND = 1.5  # times the throughput
WINDOW = Window(20_000, 200_000, 10_000, 0)  # the watchdog ends a run that stands still for 10,000 cycles


def load_of(network: Network, throughputs: ByNetwork) -> float:
    """Beyond saturation: of its own throughput; of the best of its topology, which is no less, if it has none."""
    found = {
        (n.switches, n.instance, n.traffic, n.routing.paths, n.routing.in_transit): v for n, v in throughputs.items()
    }
    key = (network.switches, network.instance, UNIFORM)
    own = found.get((*key, network.routing.paths, network.routing.in_transit))
    best = max(value for known, value in found.items() if known[:3] == key)
    return float(f"{BEYOND * (own or best):.4g}")


def survives(outcome: Results | BraidError) -> bool:
    """Ended well, beyond saturation indeed, with every packet and flit accounted for and some delivered."""
    if isinstance(outcome, BraidError):
        return False
    books = outcome["conservation"]
    return books["holds"] and outcome["saturated"] and books["packets_delivered"] > 0


def survival_rows(study: Study, throughputs: ByNetwork, topologies: int) -> list[Row]:
    """A row a size: how many runs survive."""
    networks = [Network(s, i, r, UNIFORM) for s in SIZES for r in OFFERED for i in range(topologies)]
    outcomes = study.outcomes(run_of(n, load_of(n, throughputs), WINDOW) for n in networks)
    rows = []
    for size in SIZES:
        good = [survives(o) for n, o in zip(networks, outcomes, strict=True) if n.switches == size]
        what = (
            f"survives (runs): {sum(good)} of {len(good)}; {size} switches, {len(OFFERED)} routings on {topologies} "
            f"topologies, {UNIFORM.name}, {BEYOND:g} times the throughput"
        )
        rows.append(Row("beyond the paper", what, "runs", len(good), sum(good), 0.0))
    return rows
