"""Why pull can be faster than push where they should not differ but by pull's requests (paper: section 4.2).

A pushed stream is bounded by the queue at its producer alone, a pulled one by its requests in flight as well. So a
source that has nothing to wait for sends as fast as links let it, beyond what the program needs, and takes the loaded
link from the streams that the slowest actor waits for. If that is the cause,

- with sources that compute as long as the busiest actor push is as fast as pull, and
- with requests without a bound pull is as slow as push.

Where push is as fast as pull once queues have filled, the cause is the window instead: while a source runs ahead its
queues still take what the slow streams cannot carry. All of it is measured, settled and at loads around either's best.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from braid_tools.comparison import Row
from braid_tools.papers.tentacle.networks import PUSH_X, REFERENCE, throughput
from braid_tools.papers.tentacle.points import Setting, Windows, best_load, run_of, saturation
from braid_tools.papers.tentacle.programs import Program, program, write_variant
from braid_tools.papers.tentacle.throughputs import Measured
from braid_tools.program import Results, Run
from braid_tools.study import Study

PAIRS = {PUSH_X: "pull, X-first", REFERENCE: "pull, adaptive"}
SETTLED = Windows(100_000, 100_000, 8, (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1.0, 100.0))
UNBOUNDED = {"interface.pull_outstanding": 1000}
WITHIN = 0.01  # of each other: one firing of a sink more or less in the window
BAND = 0.03  # in which the explanation holds


@dataclass(frozen=True)
class Ahead:
    """Best throughputs of push and pull in iterations/kilocycle once settled. `excess`: what was delivered of the
    stream that is most ahead over what the iterations took of it."""

    graphs: str
    benchmark: str
    size: int
    push_network: str
    push: float
    pull: float
    window_excess: float  # of push in the study's own window, at its best load
    push_excess: float  # both at pull's best load
    pull_excess: float
    paced_push: float  # sources as slow as the busiest actor
    paced_pull: float
    unbounded_pull: float

    @property
    def settles(self) -> bool:
        """Push is as fast as pull once queues have filled, and then no stream runs ahead as it did before."""
        return self.pull <= (1 + WITHIN) * self.push and self.push_excess < self.window_excess

    @property
    def runs_ahead(self) -> bool:
        """All that follows from sources that run ahead holds."""
        as_slow = self.unbounded_pull <= (1 + BAND) * self.push
        as_fast = self.paced_pull <= (1 + BAND) * self.paced_push
        return as_slow and as_fast and self.push_excess > self.pull_excess

    @property
    def note(self) -> str:
        """The cause in a sentence; empty if none holds."""
        settled = f"{self.benchmark}: after 100,000 cycles of warm-up pull is {self.pull / self.push:.2f} times push"
        if self.settles:
            return (
                f"{settled}: the shorter one ends before the producers' queues have filled, while streams run ahead "
                f"({self.window_excess:.2f} times the items needed, settled {self.push_excess:.2f})"
            )
        if self.runs_ahead:
            return (
                f"{settled}, {self.paced_pull / self.paced_push:.2f} where sources compute as long as the busiest "
                f"actor, {self.unbounded_pull / self.push:.2f} where requests in flight have no bound: sources run "
                f"ahead, pushed items {self.push_excess:.1f}, pulled {self.pull_excess:.1f} times those needed"
            )
        return ""

    def rows(self) -> list[Row]:
        """What must hold if sources that run ahead are the cause."""
        if self.settles:
            return []
        at = f"{self.push_network}, {self.benchmark}, {self.size}x{self.size}, {self.graphs}, settled"
        return [
            Row("Section 4.2", f"pull over push, sources as slow as the busiest actor, {at}", "1", 1,
                self.paced_pull / self.paced_push, BAND, at_most=True),
            Row("Section 4.2", f"pull without a bound on requests over push, {at}", "1", 1,
                self.unbounded_pull / self.push, BAND, at_most=True),
        ]  # fmt: skip


COLUMNS = ["graphs", "benchmark", "size", "network", "push", "pull", "window: push most ahead", "push most ahead"]
COLUMNS += ["pull most ahead", "push, paced sources", "pull, paced sources", "pull, unbounded requests"]


def most_ahead(p: Program, result: Results) -> float:
    """Items delivered of a stream over those that the iterations took of it, of the stream where that is most."""
    iterations = throughput(result)
    edges = result["stream"]["edges"]
    return max(e["items_per_kilocycle"] / (s.items * iterations) for s, e in zip(p.streams, edges, strict=True))


def curve(study: Study, setting: Setting, network: str, keys: dict[str, object] | None = None) -> dict[float, Results]:
    """Results by the loads of SETTLED."""
    p = program(setting.graph, setting.size)
    runs = [run_of((setting, network, load), p, SETTLED) for load in SETTLED.loads]
    results = study.run([Run(r.name, r.experiment, {**r.settings, **(keys or {})}) for r in runs])
    return dict(zip(SETTLED.loads, results, strict=True))


def pull_ahead(m: Measured, size: int) -> list[tuple[str, str]]:
    """Benchmarks, and push networks that pull with the same routing beats."""
    names = m.benchmarks(size)
    return [(b, push) for b in names for push, pull in PAIRS.items() if m.ratio(b, size, pull, push) > 1 + WITHIN]


def measure(study: Study, m: Measured, size: int) -> list[Ahead]:
    """Of every benchmark where pull is faster, the figures that say why."""
    found = []
    for benchmark, push in pull_ahead(m, size):
        setting = next(s for s in m.throughputs if (s.benchmark, s.size) == (benchmark, size))
        p, pull, window = program(setting.graph, size), PAIRS[push], m.curves[setting, push]
        graph = write_variant(setting.graph, study.folder / f"paced_{setting.graph.name}", paced=True)
        pushed, pulled = curve(study, setting, push), curve(study, setting, pull)
        load = best_load(pulled)
        excess = [most_ahead(p, r) for r in (window[best_load(window)], pushed[load], pulled[load])]
        paced = [curve(study, replace(setting, graph=graph), network) for network in (push, pull)]
        others = [*paced, curve(study, setting, pull, UNBOUNDED)]
        figures = (saturation(pushed), saturation(pulled), *excess, *map(saturation, others))
        found.append(Ahead(m.reading.graphs, benchmark, size, push, *figures))
    return found
