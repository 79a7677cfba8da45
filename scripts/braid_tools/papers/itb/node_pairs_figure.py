"""What a path for each pair of hosts changes, as a picture and as figures for docs/in-transit-buffers.md.

python -m braid_tools.papers.itb.node_pairs_figure [--topologies N] [--sizes N...]: results/itb/node_pairs.png, with the
quick window."""

from __future__ import annotations

import argparse
import sys

import matplotlib

from braid_tools.papers.itb.node_pairs import ROUTINGS, evenness, of_hosts
from braid_tools.papers.itb.points import BALANCED, BSMART, QUICK, RANDOM, Network, Routing
from braid_tools.papers.itb.tables import TABLE_1, TABLE_1_COLUMNS, UNIFORM
from braid_tools.papers.itb.throughputs import Mean, find_throughputs, ratio
from braid_tools.study import Study

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(study: Study, even: dict[int, dict[Routing, Mean]], factors: dict[str, list[Mean]], sizes: list[int]) -> None:
    """How uneven links are, and the throughputs' factors, by pairs of switches and of hosts."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    places = range(len(sizes))
    for routing, mark in zip(ROUTINGS, "so^", strict=True):
        for per, style in ((routing, "--"), (of_hosts(routing), "-")):
            known = [(p, even[s][per]) for p, s in zip(places, sizes, strict=True) if per in even[s]]
            left.errorbar([p for p, _ in known], [m.mean for _, m in known], [m.deviation for _, m in known],
                          fmt=mark + style, capsize=3, label=per.name)  # fmt: skip
    left.set_title("Paths of pairs of hosts use links more evenly")
    left.set_ylabel("deviation over mean of paths on a link")
    for (name, values), style in zip(factors.items(), ("s--", "s-", "^--", "^-"), strict=False):
        known = list(zip(places, values, strict=False))
        right.errorbar([p for p, _ in known], [m.mean for _, m in known], [m.deviation for _, m in known], fmt=style,
                       capsize=3, label=name)  # fmt: skip
    published = [TABLE_1["uniform", s][TABLE_1_COLUMNS.index(RANDOM)] for s in sizes]
    right.plot(places, published, "k:", label="BALANCED/RANDOM, Table 1")
    right.set_title("Throughput over RANDOM's")
    for axes in (left, right):
        axes.set_xticks(list(places), [f"{s} switches" for s in sizes])
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(study.folder / "node_pairs.png", dpi=130)
    plt.close(figure)


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topologies", type=int, default=10)
    parser.add_argument("--sizes", type=int, nargs="+", default=[16, 32])
    words = parser.parse_args()
    study = Study("itb")
    even: dict[int, dict[Routing, Mean]] = {}
    for switches in words.sizes:
        even[switches] = evenness(study, switches, words.topologies, [*ROUTINGS, *map(of_hosts, ROUTINGS)])
        for routing, mean in even[switches].items():
            print(f"{switches} switches, {routing.name}: paths on links {mean.mean:.3f} ({mean})", flush=True)
    routings = [*ROUTINGS, *map(of_hosts, ROUTINGS)]
    networks = [Network(s, i, r, UNIFORM) for s in words.sizes for r in routings for i in range(words.topologies)]
    throughputs, _ = find_throughputs(study, networks, QUICK)
    factors: dict[str, list[Mean]] = {}
    for routing in (BALANCED, BSMART):
        for own, other in ((routing, RANDOM), (of_hosts(routing), of_hosts(RANDOM))):
            name = f"{own.name}/RANDOM"
            factors[name] = [ratio(throughputs, own, other, s, UNIFORM) for s in words.sizes]
            print(name, *(f"{m.mean:.3f} ({m})" for m in factors[name]))
    for routing in ROUTINGS:
        own = [ratio(throughputs, of_hosts(routing), routing, s, UNIFORM) for s in words.sizes]
        print(f"{routing.name}, pairs of hosts over switches", *(f"{m.mean:.3f} ({m})" for m in own))
    draw(study, even, factors, words.sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
