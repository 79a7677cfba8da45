"""Figure 1 of sat-fairness: nodes 0 to 6 always have packets for node 7, on a row, on a 2-ary 3-tree and on fat trees
of one root whose links are trunks, or faster by themselves."""

from __future__ import annotations

from typing import Any

from braid_tools.comparison import Kind, Row
from braid_tools.papers.sat.points import EXPERIMENT, Policy, ring, tree
from braid_tools.program import Results, Run
from braid_tools.study import Study

Shares = dict[str, dict[str, list[float]]]  # [network][policy][node]
SENDERS = list(range(7))
# Round robin at every router: each node of the row gets half of what those nearer to node 7 leave; on the tree node 6
# gets a third of the last link, and each of two switches above, which have three inputs in their turn, a third. A
# faster link is one input: halves.
SHARES = {
    "8-ary 1-cube": [1 / 64, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2],
    "2-ary 3-tree": [1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 3],
    "fat tree of trunks": [1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 3],
    "fat tree of faster links": [1 / 16, 1 / 16, 1 / 16, 1 / 16, 1 / 8, 1 / 8, 1 / 2],
}
NETWORKS: dict[str, dict[str, Any]] = {
    "8-ary 1-cube": {
        "topology.kind": "mesh",
        "topology.width": 8,
        "topology.height": 1,
        "routing.algorithm": "x_first",
    },
    "2-ary 3-tree": {"topology.arity": 2, "topology.levels": 3, "routing.algorithm": "tree_by_source"},
    "fat tree of trunks": {
        "topology.kind": "graph",
        "topology.file": "fat_tree.graphml",
        "routing.algorithm": "table",
        "routing.parallel_links": "by_source",
    },
    "fat tree of faster links": {
        "topology.kind": "fat_tree",
        "topology.arity": 2,
        "topology.levels": 3,
        "topology.trunk_links": [1, 1],
        "topology.trunk_flits_per_cycle": [2, 4],
        "routing.algorithm": "table",
    },
}
FAIR = [ring(8, 8), tree(8, 8), Policy("control_packet", 8, 8)]
FAVOURED = tree(8, 16)
CYCLES = 64 * 9 * 16 * 125  # of both patterns' periods: 64 and 9 packets of 16 flits


def point(network: str, policy: Policy) -> Run:
    """A run of one of the networks."""
    settings: dict[str, Any] = {
        **NETWORKS[network],
        "interface.fairness": policy.fairness if policy.carrier else "none",
        "traffic.name": "to_7",
        "traffic.process": "saturated",
        "traffic.pattern": "hot_spot",
        "traffic.hot_nodes": [7],
        "traffic.hot_fraction": 1.0,
        "traffic.senders": SENDERS,
        "simulation.min_warmup_cycles": 20_000,
        "simulation.max_warmup_cycles": 20_000,
        "simulation.measure_cycles": CYCLES,
    }
    if policy.carrier:
        settings |= {"sat.carrier": policy.carrier, "sat.l": policy.l, "sat.k": policy.k}
    return Run(f"figure 1, {network}, {policy.name}", EXPERIMENT, settings)


def shares(result: Results) -> list[float]:
    """Of all packets that nodes 0 to 6 injected."""
    sent = result["classes"][0]["injected_packets_by_node"][:7]
    return [packets / sum(sent) for packets in sent]


def rows_of(network: str, measured: dict[str, list[float]]) -> list[Row]:
    """`measured`: shares of the nodes by policy."""
    rows = [
        Row("Fig. 1", f"{network}: share of node {node} in node 7's link", "1", published, share, 1e-9)
        for node, published, share in zip(SENDERS, SHARES[network], measured["none"], strict=True)
    ]
    for policy in FAIR:
        fair = measured[policy.name]
        what = f"closed form: {network}, {policy.carrier} {policy.name}, share of each of seven"
        # A node is somewhere in its k packets at either end of the window.
        room = 2 * policy.k * 16 * 7 / CYCLES
        rows += [
            Row("Fig. 1", f"{what}, {which}", "1", 1 / 7, value, room)
            for which, value in (("least", min(fair)), ("most", max(fair)))
        ]
    favoured = measured[FAVOURED.name]
    bound = FAVOURED.k / FAVOURED.l
    what = f"{network}, {FAVOURED.name}: share of node 6 over the least, k : l"
    rows.append(Row("Fig. 1", what, "factor", bound, favoured[6] / min(favoured), 0.01, stated_kind=Kind.OWN))
    return rows


def measure_shares(study: Study) -> Shares:
    """All networks, without SAT and with it."""
    policies = [Policy(), *FAIR, FAVOURED]
    runs = [point(network, policy) for network in NETWORKS for policy in policies]
    results = iter(study.run(runs))
    return {network: {policy.name: shares(next(results)) for policy in policies} for network in NETWORKS}


def rows(measured: Shares) -> list[Row]:
    """Of all networks."""
    return [row for network in NETWORKS for row in rows_of(network, measured[network])]
