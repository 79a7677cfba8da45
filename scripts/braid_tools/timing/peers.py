"""Cycles a second of braid's engines and schedules, or of several builds of it, beside BookSim 2's, in turn
(docs/performance.md).

scripts/compare_speed --booksim PROGRAM: a mesh under uniform traffic, X first, from empty on, so many cycles that each
run takes about as long. The programs take turns, several rounds of them; a ratio is the median of those within a round,
and time is the processor's in user mode, so that what else the machine does moves the ratios little.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from braid_tools.program import BRAID, ROOT
from braid_tools.study import Study

EXPERIMENT = ROOT / "tb" / "experiments" / "mesh_uniform.toml"
POINTS = ((8, 0.1), (8, 0.3), (8, 0.6), (32, 0.028), (64, 0.014))  # nodes a side; flits/node/cycle: 0.6 saturates
BATCH = 100  # cycles: runs are whole multiples of it
FIRST_CYCLES = 300  # of the runs that tell how long others have to be

#: By name: simulation.engine, and the environment. Planes also with the vectors that every x86-64 has.
ENGINES: dict[str, tuple[str, dict[str, str]]] = {
    "lists": ("lists", {}),
    "planes": ("planes", {}),
    "plain planes": ("planes", {"BRAID_VECTORS": "plain"}),
    "auto": ("auto", {}),
}

# As in tb/reference/booksim. A latency above 0 ends BookSim's run at the end of its first period, without a drain.
BOOKSIM = """topology = mesh; n = 2; k = {size};
routing_function = dor; traffic = uniform;
num_vcs = 4; vc_buf_size = 8; packet_size = {flits}; wait_for_tail_credit = 0;
vc_allocator = islip; sw_allocator = islip; alloc_iters = 1;
routing_delay = 1; vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1; credit_delay = 1;
injection_rate_uses_flits = 1; injection_rate = {load};
sim_type = latency; latency_thres = 0.0; sample_period = {cycles}; seed = {seed};
"""


class TimingError(RuntimeError):
    """A program did not do what it was asked for; one line."""


@dataclass(frozen=True)
class Point:
    """A network and its load."""

    size: int
    load: float
    flits: int = 4

    def __str__(self) -> str:
        """As the table has it."""
        packets = "" if self.flits == 4 else f", packets of {self.flits}"
        return f"{self.size}x{self.size}, {self.load:g}{packets}"


@dataclass(frozen=True)
class Timed:
    """What a program took, and what it printed."""

    user_seconds: float
    status: int
    output: str


def timed(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Timed:
    """Runs a program to its end."""
    with tempfile.TemporaryFile("w+") as output:
        try:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, env=os.environ | dict(environment or {})
            )
        except OSError as error:
            raise TimingError(f"{command[0]}: {error.strerror}") from None
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Timed(usage.ru_utime, process.returncode, output.read())


class Contender(ABC):
    """A program under a name."""

    name: str

    @abstractmethod
    def run(self, point: Point, cycles: int, seed: int) -> float:
        """The user seconds of so many cycles. Raises TimingError where it ran others."""


@dataclass(frozen=True)
class BookSim(Contender):
    """BookSim 2."""

    program: Path
    name: str = "BookSim 2"

    def run(self, point: Point, cycles: int, seed: int) -> float:
        """Its last words tell that it stopped where it should."""
        text = BOOKSIM.format(size=point.size, load=point.load, flits=point.flits, cycles=cycles, seed=seed)
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
            file.write(text)
            file.flush()
            found = timed([str(self.program), file.name])
        if not re.search(r"^Average latency for class 0 exceeded 0 cycles", found.output, re.MULTILINE):
            raise TimingError(f"{self.program}: not BookSim 2, or stopped early: {found.output.strip()[-200:]}")
        return found.user_seconds


@dataclass(frozen=True)
class Braid(Contender):
    """A build of braid with settings of its own."""

    program: Path
    name: str
    settings: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, point: Point, cycles: int, seed: int) -> float:
        """Its results say how many cycles there were, beside those in which circuits are set up."""
        settings = [
            f"topology.width={point.size}",
            f"topology.height={point.size}",
            f"traffic.flits={point.flits}",
            f"traffic.rate_flits_per_node_cycle={point.load}",
            f"simulation.batch_cycles={BATCH}",
            "simulation.min_warmup_cycles=0",
            "simulation.max_warmup_cycles=0",
            "simulation.max_drain_cycles=0",
            f"simulation.measure_cycles={cycles}",
            f"experiment.seed={seed}",
            *self.settings,
        ]
        options = [part for setting in settings for part in ("--set", setting)]
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder, "results.json")
            words = [str(self.program), "run", str(EXPERIMENT), *options, "--quiet", "--json", str(results)]
            found = timed(words, self.environment)
            if found.status != 0:
                raise TimingError(f"{self.name}: {found.output.strip()}")
            ran = json.loads(results.read_text())["measured_cycles"]
        if ran != cycles:
            raise TimingError(f"{self.name}: ran {ran} cycles in place of {cycles}")
        return found.user_seconds


def cycles_for(contender: Contender, point: Point, seconds: float) -> int:
    """As many as take about so long, beside what a run takes to begin and to end. The first hundreds, in an empty
    network, are quicker than others."""
    beside = contender.run(point, BATCH, seed=1)
    cycles = FIRST_CYCLES
    while (took := contender.run(point, cycles, seed=1) - beside) < seconds / 8:
        cycles *= 4
    return BATCH + max(1, round((cycles - BATCH) * seconds / took / BATCH)) * BATCH


def cycles_per_second(contender: Contender, point: Point, cycles: int, seed: int) -> float:
    """Of a long run less a short one: to make a network of modules takes seconds, and that is not what is compared."""
    took = contender.run(point, cycles, seed) - contender.run(point, BATCH, seed)
    if took <= 0:
        raise TimingError(f"{contender.name}: {cycles} cycles took no longer than {BATCH}; expected longer --seconds")
    return (cycles - BATCH) / took


@dataclass(frozen=True)
class Speed:
    """Of one program at one point: medians over the rounds."""

    name: str
    cycles_per_second: float
    ratio: float
    """To the first program."""
    least: float
    most: float


def compare(
    contenders: Sequence[Contender],
    point: Point,
    rounds: int,
    seconds: float,
    advance: Callable[[], None] = lambda: None,
) -> list[Speed]:
    """All programs at one point, in turn."""
    cycles = [cycles_for(contender, point, seconds) for contender in contenders]
    speeds: list[list[float]] = [[] for _ in contenders]  # [program][round]
    for turn in range(rounds):
        for of, contender, count in zip(speeds, contenders, cycles, strict=True):
            of.append(cycles_per_second(contender, point, count, seed=1 + turn))
            advance()
    found = []
    for contender, of in zip(contenders, speeds, strict=True):
        ratios = [speed / first for speed, first in zip(of, speeds[0], strict=True)]
        found.append(Speed(contender.name, statistics.median(of), statistics.median(ratios), min(ratios), max(ratios)))
    return found


def markdown(found: dict[Point, list[Speed]]) -> str:
    """The table of docs/performance.md."""
    names = [speed.name for speed in next(iter(found.values()))]
    lines = [f"| mesh, flits/node/cycle | {' | '.join(names)} |", "|---" * (1 + len(names)) + "|"]
    for point, speeds in found.items():
        cells = [f"{speeds[0].cycles_per_second:,.0f}"]
        cells += [f"{s.cycles_per_second:,.0f} ({s.ratio:.3g}x)" for s in speeds[1:]]
        lines.append(f"| {point} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def rows(found: dict[Point, list[Speed]]) -> list[list[object]]:
    """Of speed.csv."""
    return [
        [
            p.size,
            p.load,
            p.flits,
            s.name,
            f"{s.cycles_per_second:.4g}",
            *(f"{r:.4g}" for r in (s.ratio, s.least, s.most)),
        ]
        for p, speeds in found.items()
        for s in speeds
    ]


def programs(named: Sequence[str]) -> list[tuple[str, Path]]:
    """Of --braid; the program of this tree where there is none. A name of "" says nothing in the table."""
    if not named:
        return [("", BRAID)]
    found = []
    for text in named:
        name, separator, path = text.partition("=")
        if not separator or not name or not path:
            raise TimingError(f"--braid {text}: expected NAME=PROGRAM")
        found.append((name, Path(path)))
    return found


def contenders(arguments: argparse.Namespace) -> list[Contender]:
    """BookSim first, if it is given; then each program of braid under each schedule in each variant, or with each
    engine of the static schedule."""
    found: list[Contender] = [BookSim(Path(arguments.booksim))] if arguments.booksim else []
    schedules = arguments.schedule or ["static"]
    for (build, path), schedule, variant in product(programs(arguments.braid), schedules, arguments.variant or [""]):
        settings = [part for part in variant.split(",") if part]
        named = schedule.replace("_", " ") if arguments.schedule or arguments.variant else ""
        for engine in arguments.engine or ([] if named else ["lists", "planes", "plain planes"]) or [""]:
            name = ", ".join(part for part in [build, named, engine, *settings] if part)
            simulated, environment = ENGINES.get(engine, ("", {}))
            chosen = (f"simulation.engine={simulated}",) if engine else ()
            found.append(Braid(path, name, (f"simulation.schedule={schedule}", *chosen, *settings), environment))
    return found


def points(arguments: argparse.Namespace) -> list[Point]:
    """Each load on each size; the usual points where neither is given."""
    if not arguments.load and not arguments.size:
        return [Point(size, load, arguments.flits) for size, load in POINTS]
    if not arguments.load:
        raise TimingError("--size: expected --load, too")
    return [Point(size, load, arguments.flits) for size in arguments.size or [8] for load in arguments.load]


def parser() -> argparse.ArgumentParser:
    """Of the options."""
    options = argparse.ArgumentParser(
        "compare_speed", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--booksim", metavar="PROGRAM", help="ratios are to it; without, to the first of braid's")
    options.add_argument("--braid", action="append", metavar="NAME=PROGRAM", help="another build; repeat for several")
    options.add_argument("--size", action="append", type=int, metavar="N", help="nodes of a side")
    options.add_argument("--load", action="append", type=float, metavar="L", help="flits/node/cycle")
    options.add_argument("--flits", type=int, default=4, metavar="F", help="of a packet (4)")
    options.add_argument("--schedule", action="append", metavar="S", help="static, if none is given")
    options.add_argument(
        "--engine",
        action="append",
        choices=list(ENGINES),
        help="lists, planes and plain planes, if neither a schedule nor a variant is given",
    )
    options.add_argument(
        "--variant", action="append", metavar="KEY=VALUE[,KEY=VALUE]", help="of each; repeat for several"
    )
    options.add_argument("--rounds", type=int, default=5, metavar="R")
    options.add_argument("--seconds", type=float, default=1.5, metavar="T", help="of each run, about (1.5)")
    return options


def main(words: Sequence[str] | None = None) -> int:
    """Measures, writes table.md and speed.csv, prints the table."""
    arguments = parser().parse_args(words)
    study = Study("compare-speed")
    try:
        of = contenders(arguments)
        found = {point: compare(of, point, arguments.rounds, arguments.seconds) for point in points(arguments)}
    except TimingError as error:
        print(f"compare_speed: {error}", file=sys.stderr)
        return 2
    study.table(
        "speed.csv", ["size", "load", "flits", "program", "cycles_per_second", "ratio", "least", "most"], rows(found)
    )
    (study.folder / "table.md").write_text(markdown(found), encoding="utf-8")
    print(markdown(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
