"""The nine benchmarks as MIT's compiler partitions and lays them out (graphs/): link loads, bounds, variants."""

from __future__ import annotations

import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from braid_tools.papers.tentacle.networks import GRAPHS

Link = tuple[int, int]  # routers
UNIT_ITEMS = 16  # two packets: what a stream carries an iteration where all carry the same


@dataclass(frozen=True)
class Stream:
    """An edge of a stream graph with what it carries in a steady state."""

    source: str
    sink: str
    items: float
    copy_of: tuple[str, int] | None  # streams with the same value carry the same items
    share: float  # of its actor's output: 1 if that is not demultiplexed


@dataclass(frozen=True)
class Program:
    """A stream graph with every actor on its tile."""

    name: str
    size: int
    tiles: dict[str, int]
    work: dict[str, float]  # cycles a steady state at scaling 1
    streams: tuple[Stream, ...]

    def path(self, stream: Stream) -> Iterator[Link]:
        """Links under X-first."""
        here, there = self.tiles[stream.source], self.tiles[stream.sink]
        while here != there:
            dx, dy = there % self.size - here % self.size, there // self.size - here // self.size
            step = (dx > 0) - (dx < 0) if dx else self.size * ((dy > 0) - (dy < 0))
            yield here, here + step
            here += step

    def loads(self, *, copies_once: bool = False) -> dict[Link, float]:
        """Streams a link under X-first, shares of a demultiplexed stream as such (footnote 2). `copies_once`: as if
        copies of the same items that share a link were one, which circuits that fan out in routers would give."""
        return self._loads(lambda stream: stream.share, copies_once)

    def item_loads(self, *, copies_once: bool = False) -> dict[Link, float]:
        """Items a steady state on each link."""
        return self._loads(lambda stream: stream.items, copies_once)

    def _loads(self, of: Any, copies_once: bool) -> dict[Link, float]:
        loads: dict[Link, float] = defaultdict(float)
        seen = set()
        for stream in self.streams:
            for link in self.path(stream):
                if copies_once and stream.copy_of is not None:
                    if (stream.copy_of, link) in seen:
                        continue
                    seen.add((stream.copy_of, link))
                loads[link] += of(stream)
        return dict(loads)

    def node_items(self) -> float:
        """Most items a steady state into or out of a node."""
        out, into = Counter(), Counter()
        for s in self.streams:
            out[s.source] += s.items
            into[s.sink] += s.items
        return max(*out.values(), *into.values())

    def bound(self, bandwidth: int) -> float:
        """Least cycles a steady state on any network: one item a cycle on a stream, `bandwidth` at a node."""
        return max(max(s.items for s in self.streams), self.node_items() / bandwidth)

    def degree(self) -> int:
        """Most streams into or out of an actor."""
        return max(*Counter(s.source for s in self.streams).values(), *Counter(s.sink for s in self.streams).values())


def firings(graph: dict[str, Any]) -> dict[str, int]:
    """In a steady state: the smallest integers that balance every edge; a graph of one part."""
    rate = {graph["edge"][0]["from"]: (1, 1)}
    while len(rate) < len(graph["actor"]):
        before = len(rate)
        for e in graph["edge"]:
            push, pop = e.get("push", 1), e.get("pop", 1)
            for here, there, a, b in ((e["from"], e["to"], push, pop), (e["to"], e["from"], pop, push)):
                if here in rate and there not in rate:
                    n, d = rate[here][0] * a, rate[here][1] * b
                    rate[there] = (n // math.gcd(n, d), d // math.gcd(n, d))
        if len(rate) == before:
            break
    common = math.lcm(*(d for _, d in rate.values()))
    return {name: n * common // d for name, (n, d) in rate.items()}


@cache
def program(path: Path, size: int) -> Program:
    """Reads a stream graph; paths and loads need actors that all have tiles."""
    graph = tomllib.loads(path.read_text())
    fired = firings(graph)
    kinds: dict[str, dict[Any, float]] = defaultdict(dict)
    for i, e in enumerate(graph["edge"]):
        kind = ("group", e["group"]) if "group" in e else ("edge", i)
        kinds[e["from"]][kind] = fired[e["from"]] * e.get("push", 1)
    streams = []
    for e in graph["edge"]:
        items = fired[e["from"]] * e.get("push", 1)
        copy_of = (e["from"], e["group"]) if "group" in e else None
        streams.append(Stream(e["from"], e["to"], items, copy_of, items / sum(kinds[e["from"]].values())))
    tiles = {a["name"]: a.get("tile", -1) for a in graph["actor"]}  # -1: not laid out yet
    work = {a["name"]: a["work"] * fired[a["name"]] for a in graph["actor"]}
    return Program(graph["name"], size, tiles, work, tuple(streams))


def original(benchmark: str, size: int) -> Path:
    """MIT's graph and layout."""
    return GRAPHS / f"{benchmark}_{size}x{size}.toml"


def divisor(p: Program) -> int:
    """The greatest part of a steady state in which all streams carry whole items, if that is long; else 1. TDE's has
    5,760 to 11,520 items a stream, so the paper's window would hold eight of them: 720 parts."""
    parts = math.gcd(*(int(s.items) for s in p.streams))
    return parts if parts > 64 else 1


def write_variant(
    source: Path,
    target: Path,
    *,
    equal_streams: bool = False,
    tiles: dict[str, int] | None = None,
    keep_tiles: bool = True,
    parts: int = 1,
    paced: bool = False,
) -> Path:
    """Another reading of a graph. `equal_streams`: an actor fires once an iteration and every stream carries the same
    (UNIT_ITEMS, shared where a stream is demultiplexed). `parts` > 1: an actor fires once in that part of a steady
    state. `paced`: what no stream feeds computes as long as the busiest actor. `tiles`: other places, or, where
    `keep_tiles` is false, none, so that Braid lays it out."""
    graph = tomllib.loads(source.read_text())
    fired = firings(graph)
    shares = {(s.source, s.sink): s.share for s in program(source, 1).streams}
    once = equal_streams or parts > 1
    lines = [f'name = "{graph["name"]}"']
    works = program(source, 1).work
    for a in graph["actor"]:
        own, times = works[a["name"]], 1 if once else fired[a["name"]]
        if paced and all(e["to"] != a["name"] for e in graph["edge"]):
            own = max(works.values())
        work = max(1, math.ceil(own / times) if paced else round(own / parts / times))
        tile = [f"tile = {tiles[a['name']] if tiles else a['tile']}"] if keep_tiles else []
        lines += ["[[actor]]", f'name = "{a["name"]}"', f"work = {work}", *tile]
    for e in graph["edge"]:
        keys = {k: e[k] for k in ("push", "pop", "peek", "group", "initial") if k in e}
        if equal_streams:
            items = UNIT_ITEMS if "group" in e else max(1, round(UNIT_ITEMS * shares[e["from"], e["to"]]))
        elif once:
            items = fired[e["from"]] * e.get("push", 1) // parts
        if once:
            keys = {k: e[k] for k in ("group",) if k in e} | {"push": items, "pop": items}
        lines += ["[[edge]]", f'from = "{e["from"]}"', f'to = "{e["to"]}"', *(f"{k} = {v}" for k, v in keys.items())]
    target.write_text("\n".join(lines) + "\n")
    return target


def folds(name: str) -> bool:
    """Is it a joiner, which its consumer could do by itself? (MIT's compiler names them so.)"""
    return "_Joiner" in name


def write_folded(source: Path, target: Path) -> Path:
    """The graph with every joiner of one consumer folded into that: it takes the joiner's streams itself, for nothing,
    and the joiner's tile stays free. An actor fires once a steady state, for a share of a joiner's round need not be a
    whole number of a consumer's firings."""
    graph = tomllib.loads(source.read_text())
    p = program(source, 1)
    outputs = Counter(s.source for s in p.streams)
    into = {s.source: s.sink for s in p.streams if folds(s.source) and outputs[s.source] == 1}

    def consumer(name: str) -> str:
        while name in into:
            name = into[name]
        return name

    lines = [f'name = "{graph["name"]}"']
    for a in graph["actor"]:
        if a["name"] not in into:
            work = max(1, round(p.work[a["name"]]))
            lines += ["[[actor]]", f'name = "{a["name"]}"', f"work = {work}", f"tile = {a['tile']}"]
    for s in p.streams:
        if s.source in into:
            continue
        keys = {"push": int(s.items), "pop": int(s.items)}
        keys |= {"group": s.copy_of[1]} if s.copy_of is not None else {}
        lines += ["[[edge]]", f'from = "{s.source}"', f'to = "{consumer(s.sink)}"']
        lines += [f"{k} = {v}" for k, v in keys.items()]
    target.write_text("\n".join(lines) + "\n")
    return target
