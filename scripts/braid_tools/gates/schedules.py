"""Experiments drawn at random, of every family of routers and every kind of traffic, under both schedules: the whole
results as JSON must be equal, with the processes of a step in the kernel's order, forward and backward
(BRAID_PROCESS_ORDER). The first that differs is printed with its command; the exit status is then 1."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from braid_tools.program import BRAID, ROOT, in_parallel

SHORT = {
    "simulation.batch_cycles": 200,
    "simulation.min_warmup_cycles": 200,
    "simulation.max_warmup_cycles": 400,
    "simulation.measure_cycles": 1000,
    "simulation.max_drain_cycles": 2000,
}
Axes = dict[str, tuple[Any, ...]]
MESH: Axes = {
    "topology.width": (2, 3, 4, 5),
    "topology.height": (2, 3, 4),
    "router.vcs": (1, 2, 4),
    "router.buffer_depth": (1, 3, 8),
    "router.arbiter": ("round_robin", "matrix"),
    "traffic.rate_flits_per_node_cycle": (0.05, 0.3, 0.7),
}
SAT: Axes = {
    "interface.fairness": ("sat", "sat_auto"),
    "sat.carrier": ("ring", "spanning_tree", "diamond_ring"),
    "sat.l": (1, 3),
    "sat.k": (3, 8),
}
#: Name: experiment of tb/experiments, what is always set, what is drawn.
KINDS: dict[str, tuple[str, dict[str, Any], Axes]] = {
    "packets": (
        "mesh_uniform",
        {},
        MESH
        | {
            "topology.kind": ("mesh",),
            "routing.algorithm": ("x_first", "y_first", "minimal_adaptive", "west_first"),
            "routing.allow_deadlock": (True,),
            "traffic.pattern": ("uniform", "transpose", "hot_region"),
            "traffic.flits": (1, 4, 9),
        },
    ),
    "patterns": (
        "torus_tornado",
        {},
        {"topology.width": (3, 4), "topology.height": (3, 4), "traffic.request_reply": (True, False)},
    ),
    "messages": (
        "mesh_messages",
        {},
        {
            "topology.width": (3, 4),
            "topology.height": (3, 4),
            "interface.scheduler": ("alpha", "round_robin"),
            "router.architecture": ("hybrid", "ideal"),
        },
    ),
    "circuits": (
        "mixed",
        {"interface.receive_queue_items": 0},
        {
            "traffic.rate_flits_per_node_cycle": (0.0, 0.1, 0.3),
            "stream.computation_scaling": (0.001, 0.01),
            "router.circuit_burst_flits": (0, 1, 5),
            "interface.circuit_injection_flits": (0, 1, 2),
            "interface.circuit_ejection_flits": (0, 1, 3),
            "interface.packet_injection_flits": (0, 1, 2),
            "interface.packet_ejection_flits": (0, 1),
            "setup.reroute": ("each", "all"),
            "setup.reroute_at_cycle": (500, 900),
            "setup.reroute_every_cycles": (300, 700),
        },
    ),
    "streams": (
        "fm_radio",
        {"interface.switching": "packet"},
        {
            "interface.transfer": ("push", "pull"),
            "router.architecture": ("hybrid", "ideal"),
            "stream.computation_scaling": (0.001, 0.01),
            "interface.packet_injection_flits": (0, 1, 3),
            "interface.packet_ejection_flits": (0, 1, 2),
            "router.vcs": (1, 4),
        },
    ),
    "cut_through": (
        "mesh_uniform",
        {"router.architecture": "virtual_cut_through", "router.vcs": 1, "routing.allow_deadlock": True},
        {
            "topology.width": (2, 4),
            "topology.height": (1, 3),
            "router.queue_packets": (1, 3),
            "traffic.rate_flits_per_node_cycle": (0.1, 0.6),
            "traffic.flits": (2, 7),
        },
    ),
    "cut_through_sat": (
        "tree_sat",
        {"traffic.pattern": "uniform"},
        SAT
        | {
            "topology.arity": (2, 4),
            "topology.levels": (1, 2),
            "router.queue_packets": (1, 4),
            "traffic.rate_flits_per_node_cycle": (0.2, 1.0),
            "traffic.flits": (3, 16),
        },
    ),
    "hybrid_sat": (
        "tree_sat",
        {
            "router.architecture": "hybrid",
            "router.vcs": 2,
            "router.credit_delay_cycles": 2,
            "traffic.pattern": "uniform",
        },
        SAT | {"topology.arity": (2, 4), "topology.levels": (1, 2), "traffic.flits": (3, 16)},
    ),
    "po2": (
        "po2_hexagonal",
        {},
        {
            "topology.edge": (2, 3),
            "po2.buffers": (3, 8),
            "message.packet_flits": (20, 160),
            "interface.scheduler": ("fifo", "alpha"),
            "traffic.rate_flits_per_node_cycle": (0.1, 0.4),
            "po2.avoidance": ("none", "up_down_escape"),
            "simulation.measure_cycles": (3000,),
        },
    ),
    "po2_sat": (
        "po2_hexagonal",
        {"simulation.measure_cycles": 3000},
        SAT | {"topology.edge": (2, 3), "traffic.rate_flits_per_node_cycle": (0.1, 0.4)},
    ),
    "myrinet": (
        "irregular",
        {},
        {
            "topology.switches": (3, 6, 9),
            "routing.paths": ("balanced", "up_down"),
            "routing.in_transit": ("none", "minimum", "every_switch"),
            "traffic.rate_flits_per_node_cycle": (0.05, 0.3),
            "simulation.measure_cycles": (2600,),
        },
    ),
    "link_down": (
        "irregular_link_down",
        {"failure.cycle": 700, "failure.recompute_ns": 800},
        {"topology.switches": (4, 8), "traffic.rate_flits_per_node_cycle": (0.05, 0.2)},
    ),
    "ideal": (
        "mesh_uniform",
        {"router.architecture": "ideal"},
        {
            "topology.width": (2, 4),
            "topology.height": (2, 3),
            "topology.local_ports": (1, 2),
            "router.queue_at_receiver": (True, False),
            "traffic.rate_flits_per_node_cycle": (0.2, 0.9),
            "traffic.flits": (1, 5),
        },
    ),
    "broadcasts": (
        "broadcast",
        {},
        {
            "topology.width": (2, 3),
            "topology.height": (2, 4),
            "broadcast.medium": ("network", "line"),
            "broadcast.scheme": ("diamond_ring", "balanced_tree", "logp_tree", "unicast"),
            "broadcast.burst": (1, 5),
            "broadcast.gap_cycles": (0, 50),
            "router.architecture": ("hybrid", "ideal"),
            "simulation.measure_cycles": (4000,),
        },
    ),
    "all_reduces": (
        "broadcast",
        {"broadcast.operation": "all_reduce"},
        {"topology.width": (2, 3), "broadcast.scheme": ("diamond_ring", "balanced_tree"), "broadcast.flits": (1, 4)},
    ),
}
ORDERS = (None, "forward", "backward")


@dataclass(frozen=True)
class Drawn:
    """One experiment."""

    kind: str
    words: tuple[str, ...]

    def results(self, schedule: str, order: str | None = None) -> dict[str, Any] | None:
        """Of a run; None: the program refuses the experiment."""
        environment = os.environ | ({"BRAID_PROCESS_ORDER": order} if order else {})
        command = [BRAID, "run", *self.words, "--set", f"simulation.schedule={schedule}", "--quiet", "--json", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode == 2:
            return None
        found = json.loads(done.stdout) if done.stdout else {}
        for own in ("configuration", "wall_seconds", "engines"):
            found.pop(own, None)
        return found | {"status": done.returncode, "said": done.stderr}

    def differs(self, orders: tuple[str | None, ...] = ORDERS) -> list[str]:
        """Which of these orders give other results than the static schedule; "refused" alone if it is refused."""
        static = self.results("static")
        if static is None:
            return ["refused"]
        return [str(order or "kernel's") for order in orders if self.results("process_per_stage", order) != static]


def draw(seed: int) -> Iterator[Drawn]:
    """Experiments without end, a kind after the other; the same for the same seed."""
    chance = random.Random(seed)
    while True:
        for kind, (experiment, fixed, axes) in KINDS.items():
            settings = SHORT | fixed | {key: chance.choice(values) for key, values in axes.items()}
            settings["experiment.seed"] = chance.randrange(1, 10**6)
            words = [str(ROOT / "tb" / "experiments" / f"{experiment}.toml")]
            for key, value in settings.items():
                words += ["--set", f"{key}={str(value).lower() if isinstance(value, bool) else value}"]
            yield Drawn(kind, tuple(words))


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=200, help="that the program takes")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    source, equal, wrong = draw(arguments.seed), Counter[str](), 0
    while equal.total() + wrong < arguments.experiments:
        batch = [next(source) for _ in range(min(len(KINDS), 2 * (arguments.experiments - equal.total() - wrong)))]
        for drawn, differ in zip(batch, in_parallel(Drawn.differs, batch), strict=True):
            if not differ:
                equal[drawn.kind] += 1
            elif differ != ["refused"]:
                wrong += 1
                print(f"{drawn.kind}, {', '.join(differ)}: braid run {' '.join(drawn.words)}", flush=True)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(equal.items()))
    print(f"{equal.total()} experiments with equal results in three orders ({kinds}), {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
