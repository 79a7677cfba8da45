"""MIT's partitioned stream graphs and layouts, as JSON outside the repository, into Braid's stream graphs.

python -m braid_tools.papers.tentacle.convert FOLDER writes graphs/NAME_4x4.toml and so on beside this file. What of the
JSON is used: actors (name, firings and work in a steady state, tile) and the edges among them (items in a steady state,
pop and peek of the destination, how a folded splitter made the edge). Files are not on the mesh and are left out, what
an actor does before its first steady state too.

Firings. An actor fires as often in a steady state as MIT's does, if its share of every edge is then a whole number of
items. A splitter folded into its source, or a joiner of unequal rounds, may leave fractions (15 items in 9 firings):
there a firing is the smallest number of MIT's firings that gives whole shares. What a filter peeks beyond its pop
stays.

Copies. `group`: edges of one actor with the same number carry copies of the same items. The JSON numbers a whole
splitter (`fanout_group`); where the actor pushes more items than one set of copies takes, a round-robin of duplicates
was folded, whose neighbours in the JSON's order belong together (they are fission products of one filter).

Tiles. MIT's tile (x, y) is router y * width + x: its (0, 0) is Braid's router 0, x counts along a row in both. Raw
draws tile 0 at the top left, `braid paths` router 0 at the bottom left: a mirror image, with the same distances and
X-first paths.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from pathlib import Path

from braid_tools.papers.tentacle.programs import GRAPHS


def own_firings(actor: dict) -> int:
    """Of a filter, or rounds of a joiner, in one steady state."""
    return actor.get("steady_reps") or actor["steady_rounds"]


def firings(data: dict) -> dict[int, int]:
    """Of each actor in a steady state: as many as its edges can be shared out to in whole items."""
    result = {actor["id"]: own_firings(actor) for actor in data["actors"]}
    for edge in data["edges"]:
        for end in ("src", "dst"):
            result[edge[end]] = math.gcd(result[edge[end]], edge["items_per_steady_state"])
    return result


def copy_groups(data: dict) -> dict[int, int]:
    """Position of each duplicated edge -> its group, counted through the graph from 0."""
    actors = {actor["id"]: actor for actor in data["actors"]}
    copies, shares = defaultdict(list), defaultdict(int)
    for i, edge in enumerate(data["edges"]):
        if edge["via"] == "duplicate":
            copies[edge["src"]].append(i)
        else:
            shares[edge["src"]] += edge["items_per_steady_state"]
    result: dict[int, int] = {}
    group = 0
    for source, edges in copies.items():
        items = data["edges"][edges[0]]["items_per_steady_state"]
        pushed = data["edges"][edges[0]]["src_push"] * own_firings(actors[source]) - shares[source]
        sets, rest = divmod(pushed, items)
        if rest or sets < 1 or len(edges) % sets:
            raise ValueError(f"actor {source}: {pushed} items do not fill {len(edges)} edges of {items} with copies")
        if any(data["edges"][i]["items_per_steady_state"] != items for i in edges):
            raise ValueError(f"actor {source}: copies of different length")
        size = len(edges) // sets
        result |= {edge: group + k // size for k, edge in enumerate(edges)}
        group += sets
    return result


def actor_line(actor: dict, fired: int, width: int) -> str:
    """One actor as an inline table."""
    work, rest = divmod(actor["work_per_steady_state"], fired)
    if rest:
        raise ValueError(f"actor {actor['name']}: its work is not the same in each of {fired} firings")
    tile = actor["tile_y"] * width + actor["tile_x"]
    said = f"{fired} firings a steady state"
    if fired != own_firings(actor):
        said += f", MIT's {own_firings(actor)}"
    comment = f"  # {said}" if own_firings(actor) > 1 else ""
    return f'  {{name = "{actor["name"]}", work = {work}, tile = {tile}}},{comment}'


def edge_line(edge: dict, names: dict[int, str], fired: dict[int, int], group: int | None) -> str:
    """One edge as an inline table; defaults are left out."""
    items = edge["items_per_steady_state"]
    push, pop = items // fired[edge["src"]], items // fired[edge["dst"]]
    peek = pop + max(0, math.ceil(edge["dst_peek"] - edge["dst_pop"]))
    keys = {"push": push, "pop": pop}
    rates = "".join(f", {key} = {value}" for key, value in keys.items() if value != 1)
    rates += f", peek = {peek}" if peek != pop else ""
    rates += f", group = {group}" if group is not None else ""
    return f'  {{from = "{names[edge["src"]]}", to = "{names[edge["dst"]]}"{rates}}},'


def converted(data: dict) -> str:
    """A stream graph's TOML text."""
    width = int(data["size"].split("x")[0])
    fired, groups = firings(data), copy_groups(data)
    names = {actor["id"]: actor["name"] for actor in data["actors"]}
    lines = [
        f"# {data['name']} on {data['size']} tiles: partition and layout of MIT's StreamIt compiler.",
        "# Written by ../convert.py, which says what firing, group and tile are.",
        f"# Program:  {data['source_str']}",
        f"# Compiler: {data['compiler']}",
        f"# Options:  {data['options']}",
        f'name = "{data["name"]}_{data["size"]}"',
        "",
        "actor = [",
        *(actor_line(actor, fired[actor["id"]], width) for actor in data["actors"]),
        "]",
        "",
        "edge = [",
        *(edge_line(edge, names, fired, groups.get(i)) for i, edge in enumerate(data["edges"])),
        "]",
    ]
    return "\n".join(lines) + "\n"


def main(folder: str) -> int:
    """Writes a graph for every file of the folder."""
    GRAPHS.mkdir(exist_ok=True)
    for path in sorted(Path(folder).glob("*_?x?.json")):
        (GRAPHS / f"{path.stem}.toml").write_text(converted(json.loads(path.read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
